import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CURRENCY_CODES,
  type CurrencyCode,
  decimalsOf as serverDecimalsOf,
} from '../../server/src/core/currencies.ts'
import { formatMinor, parseAmount } from '../../server/src/core/money.ts'
import { type Amount, amountText } from '../src/amounts.ts'
import { decimalsOf } from '../src/currencies.ts'
import { ValidationError } from '../src/index.ts'
import { createBody, sandboxPayBody } from '../src/params.ts'

const text = (amount: unknown, currency: string) =>
  amountText(amount as Amount, { field: 'amount', currency })

describe('an amount on the wire', () => {
  it.each([
    ['12.50', 'USD', '12.50'],
    ['0.1', 'USD', '0.1'],
    ['12.500', 'USD', '12.500'],
    ['500.00', 'JPY', '500.00'],
    ['1.234', 'KWD', '1.234'],
    ['999999999999.99', 'USD', '999999999999.99'],
    [1250n, 'USD', '12.50'],
    [5n, 'USD', '0.05'],
    [500n, 'JPY', '500'],
    [1n, 'KWD', '0.001'],
    [12.5, 'USD', '12.5'],
    [0.29, 'USD', '0.29'],
    ['7.25', 'XYZ', '7.25'],
  ])('%s %s is %s', (amount, currency, expected) => {
    expect(text(amount, currency)).toBe(expected)
  })

  it.each([
    [0.1 + 0.2, 'USD'],
    [1.1 * 3, 'USD'],
    [1.005, 'USD'],
    [10.5, 'JPY'],
    ['10.5', 'JPY'],
    ['1.2345', 'KWD'],
    [Number.NaN, 'USD'],
    [Number.POSITIVE_INFINITY, 'USD'],
    [-1, 'USD'],
    [-1n, 'USD'],
    [1e21, 'USD'],
    [1e-7, 'USD'],
    ['1e3', 'USD'],
    ['1,50', 'USD'],
    ['$5', 'USD'],
    [' 5', 'USD'],
    ['05', 'USD'],
    ['.5', 'USD'],
    ['5.', 'USD'],
    ['', 'USD'],
    [null, 'USD'],
    [undefined, 'USD'],
    [{}, 'USD'],
    [['5'], 'USD'],
    [100n, 'XYZ'],
  ])('%s %s is refused before it is sent', (amount, currency) => {
    expect(() => text(amount, currency)).toThrow(ValidationError)
  })

  it('has the same value for the service in every form', () => {
    const codes = fc.constantFrom(...(CURRENCY_CODES as CurrencyCode[]))
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), codes, (minor, currency) => {
        for (const amount of [
          minor,
          formatMinor(minor, currency),
          JSON.parse(text(minor, currency)),
        ]) {
          expect(parseAmount(JSON.parse(text(amount, currency)), currency)).toBe(minor)
        }
      }),
    )
  })
})

it('a donation is a decimal, and the error does not suggest a bigint', () => {
  expect(sandboxPayBody({ donation_amount: '0.30' })).toBe('{"donation_amount":0.30}')
  const refused = () => sandboxPayBody({ donation_amount: 30n as never })
  expect(refused).toThrow(/^donation_amount must be a decimal such as "12\.50"$/)
})

it('currencies have the same decimals as in the service', () => {
  for (const code of CURRENCY_CODES) {
    expect(decimalsOf(code), code).toBe(serverDecimalsOf(code as CurrencyCode))
  }
  expect(decimalsOf('constructor')).toBeUndefined()
})

it('the body keeps all digits and omits undefined fields', () => {
  const products = [{ name: 'Tea "green"', quantity: 1, price: '0.10' }]
  const body = { amount: '100.10', currency: 'USD', products, payload: undefined as never }
  expect(createBody(body)).toBe(
    '{"amount":100.10,"currency":"USD","products":[{"name":"Tea \\"green\\"","quantity":1,"price":0.10}]}',
  )
  expect(createBody({ amount: 1n, currency: 'USD', products: null })).toBe(
    '{"amount":0.01,"currency":"USD","products":null}',
  )
  const wrong = () => createBody({ ...body, products: [{ ...products[0]!, price: 0.001 }] })
  expect(wrong).toThrow(/^products\.0\.price has more decimals/)
})
