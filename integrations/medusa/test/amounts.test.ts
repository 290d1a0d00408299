import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BigNumber } from '@medusajs/framework/utils'
import { isSameAmount, toDecimal } from '../src/amounts.js'

test('every kind of amount becomes an exact decimal', () => {
  const rows: [Parameters<typeof toDecimal>[0], string, string][] = [
    [12.5, 'usd', '12.5'],
    ['12.50', 'usd', '12.5'],
    [new BigNumber('0.1'), 'usd', '0.1'],
    [{ value: '19.99', precision: 20 }, 'eur', '19.99'],
    ['123456789012.34', 'usd', '123456789012.34'],
    [1e21, 'jpy', '1000000000000000000000'],
    ['12.345', 'kwd', '12.345'],
  ]
  for (const [amount, currency, decimal] of rows) {
    assert.equal(toDecimal(amount, currency), decimal)
  }
})

test('fractions of the smallest unit are rounded half up', () => {
  assert.equal(toDecimal('10.835', 'usd'), '10.84')
  assert.equal(toDecimal('10.8333333333', 'usd'), '10.83')
  assert.equal(toDecimal('500.4', 'jpy'), '500')
  assert.equal(toDecimal('12.3456', 'kwd'), '12.346')
})

test('a currency has the decimals of ISO 4217, not those that Medusa shows', () => {
  assert.equal(toDecimal('12.505', 'rsd'), '12.51')
  assert.equal(toDecimal('0.40', 'mur'), '0.4')
  assert.equal(toDecimal('1.2345', 'iqd'), '1.235')
})

test('amounts are compared by value and currency', () => {
  const florin = { amount: '12.50', currency: 'USD' }
  assert.ok(isSameAmount(12.5, 'usd', florin))
  assert.ok(!isSameAmount(12.49, 'usd', florin))
  assert.ok(!isSameAmount(12.5, 'eur', florin))
})
