import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameAmount, toDecimal } from '../src/amounts.js'

test('an integer of Vendure becomes an exact decimal', () => {
  const rows: [number, number, string][] = [
    [1250, 2, '12.50'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [50_000, 2, '500.00'],
    [12_345, 3, '12.345'],
    [500, 0, '500'],
    [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
  ]
  for (const [value, precision, decimal] of rows) {
    assert.equal(toDecimal(value, precision), decimal)
  }
})

test('a fraction, a negative number or an inexact integer is not an amount', () => {
  for (const value of [0.5, -1, Number.NaN, 2 ** 53]) {
    assert.throws(() => toDecimal(value, 2), TypeError)
  }
})

test('decimals are compared by value', () => {
  assert.ok(isSameAmount('500.00', '500'))
  assert.ok(isSameAmount('12.5', '12.50'))
  assert.ok(isSameAmount('5.00', '5.00000'))
  assert.ok(!isSameAmount('12.50', '12.51'))
  assert.ok(!isSameAmount('12.50', '125.0'))
})
