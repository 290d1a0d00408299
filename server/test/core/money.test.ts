import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CURRENCY_CODES,
  type CurrencyCode,
  decimalsOf,
  parseCurrency,
} from '../../src/core/currencies.ts'
import {
  type AmountProblem,
  divideHalfUp,
  formatMinor,
  isTooLarge,
  MAX_ACCOUNT_MINOR,
  parseAmount,
  parseDecimal,
} from '../../src/core/money.ts'

const runs = { numRuns: 10_000 }
const USD = parseCurrency('USD')!
const JPY = parseCurrency('JPY')!
const KWD = parseCurrency('KWD')!
const currencies = CURRENCY_CODES.map((code) => parseCurrency(code)!)
const anyCurrency = fc.constantFrom(...currencies)
const amountMinor = fc.bigInt({ min: 0n, max: 10n ** 15n })
const largestMinor = (currency: CurrencyCode) => 10n ** BigInt(12 + decimalsOf(currency)) - 1n

/**
 * The exact result, computed independently: the double is split into a fraction of integers, and
 * the amount is the only number of minor units whose decimal parses to this double.
 */
function exactOracle(value: number, currency: CurrencyCode): bigint | AmountProblem {
  if (Number.isNaN(value) || Math.abs(value) === Infinity) return 'not_a_number'
  if (value < 0 || 1 / value === -Infinity) return 'negative'
  if (value >= 1e12) return 'too_large'
  const [numerator, denominator] = toFraction(value)
  const decimals = decimalsOf(currency)
  const scaled = numerator * 10n ** BigInt(decimals)
  const candidate = (2n * scaled + denominator) / (2n * denominator)
  const digits = candidate.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const text = `${digits.slice(0, point)}.${digits.slice(point)}0`
  return Number.parseFloat(text) === value ? candidate : 'too_many_decimals'
}

function toFraction(value: number): [bigint, bigint] {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const power = Number((bits >> 52n) & 0x7ffn)
  const mantissa = bits & ((1n << 52n) - 1n)
  const full = power === 0 ? mantissa : mantissa | (1n << 52n)
  const shift = (power === 0 ? 1 : power) - 1075
  return shift >= 0 ? [full << BigInt(shift), 1n] : [full, 1n << BigInt(-shift)]
}

describe('parseAmount', () => {
  it.each([
    [10, USD, 1000n],
    [10.5, USD, 1050n],
    [0.1, USD, 10n],
    [1.1, USD, 110n],
    [0.29, USD, 29n],
    [1e1, USD, 1000n],
    [0, USD, 0n],
    [999_999_999_999.99, USD, 99_999_999_999_999n],
    [999_999_999_999.999, KWD, 999_999_999_999_999n],
    [500, JPY, 500n],
    [1.234, KWD, 1234n],
    [0.000001, USD, 'too_many_decimals'],
    [1e-7, USD, 'too_many_decimals'],
    [5e-324, USD, 'too_many_decimals'],
    [1.5, JPY, 'too_many_decimals'],
    [1.001, USD, 'too_many_decimals'],
    [1.2345, KWD, 'too_many_decimals'],
    [0.1 + 0.2, USD, 'too_many_decimals'],
    [1e12, USD, 'too_large'],
    [1e21, USD, 'too_large'],
    [1.7976931348623157e308, USD, 'too_large'],
    [-0, USD, 'negative'],
    [-1, USD, 'negative'],
    [-1e-9, USD, 'negative'],
    [NaN, USD, 'not_a_number'],
    [Infinity, USD, 'not_a_number'],
    [-Infinity, USD, 'not_a_number'],
    ['5', USD, 'not_a_number'],
    [[5], USD, 'not_a_number'],
    [true, USD, 'not_a_number'],
    [null, USD, 'not_a_number'],
    [undefined, USD, 'not_a_number'],
    [{ valueOf: (): number => 5 }, USD, 'not_a_number'],
    [5n, USD, 'not_a_number'],
    [new Number(5), USD, 'not_a_number'],
  ] as const)('reads %s in %s as %s', (value, currency, expected) => {
    expect(parseAmount(value, currency)).toBe(expected)
  })

  it('agrees with exact arithmetic on the double', () => {
    const number = fc.oneof(
      fc.double(),
      fc.double({ min: 0, max: 1e13 }),
      fc
        .tuple(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 0, max: 5 }))
        .map(([n, places]) => Number(`${n}e-${places}`)),
      fc
        .tuple(amountMinor, fc.integer({ min: 0, max: 4 }))
        .map(([n, places]) => Number(`${n}e-${places}`)),
    )
    fc.assert(
      fc.property(number, anyCurrency, (value, currency) => {
        expect(parseAmount(value, currency)).toBe(exactOracle(value, currency))
      }),
      { numRuns: 50_000 },
    )
  })

  it('parses what formatMinor prints, as a number', () => {
    fc.assert(
      fc.property(amountMinor, anyCurrency, (minor, currency) => {
        fc.pre(minor <= largestMinor(currency))
        expect(parseAmount(Number(formatMinor(minor, currency)), currency)).toBe(minor)
      }),
      runs,
    )
  })
})

describe('parseDecimal and formatMinor', () => {
  it.each(currencies)('round trip at the edges of %s', (currency) => {
    for (const minor of [
      0n,
      1n,
      9n,
      10n,
      99n,
      100n,
      101n,
      999n,
      1000n,
      1001n,
      largestMinor(currency),
    ]) {
      expect(parseDecimal(formatMinor(minor, currency), currency)).toBe(minor)
      expect(parseAmount(Number(formatMinor(minor, currency)), currency)).toBe(minor)
    }
    const places = decimalsOf(currency) === 3 ? 3 : 2
    expect(formatMinor(largestMinor(currency), currency)).toMatch(
      new RegExp(`^[0-9]{12}\\.[0-9]{${places}}$`),
    )
    expect(parseDecimal(formatMinor(largestMinor(currency) + 1n, currency), currency)).toBe(
      'too_large',
    )
  })

  it('round trip for every amount', () => {
    fc.assert(
      fc.property(amountMinor, anyCurrency, (minor, currency) => {
        fc.pre(minor <= largestMinor(currency))
        expect(parseDecimal(formatMinor(minor, currency), currency)).toBe(minor)
      }),
      runs,
    )
  })

  it('never throw, and accept only what prints as the same value', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.+\-e ]{0,20}$/))
    fc.assert(
      fc.property(text, anyCurrency, (written, currency) => {
        const minor = parseDecimal(written, currency)
        if (typeof minor !== 'bigint') return
        expect(written).toMatch(/^[0-9]+(\.[0-9]+)?$/)
        expect(Number(formatMinor(minor, currency))).toBe(Number(written))
      }),
      runs,
    )
  })

  it.each([
    ['10', USD, 1000n],
    ['10.5', USD, 1050n],
    ['0.10', USD, 10n],
    ['1.500', USD, 150n],
    [`1.5${'0'.repeat(10_000)}`, USD, 150n],
    ['007', USD, 700n],
    [`${'0'.repeat(10_000)}1`, USD, 100n],
    ['0', USD, 0n],
    ['500.00', JPY, 500n],
    ['500', JPY, 500n],
    ['1.50', JPY, 'too_many_decimals'],
    ['1.501', USD, 'too_many_decimals'],
    ['1.2340', KWD, 1234n],
    ['999999999999.99', USD, 99_999_999_999_999n],
    ['1000000000000', USD, 'too_large'],
    ['9'.repeat(10_000), USD, 'too_large'],
    ['-1', USD, 'negative'],
    ['-0', USD, 'negative'],
    ['', USD, 'not_a_number'],
    ['.5', USD, 'not_a_number'],
    ['5.', USD, 'not_a_number'],
    ['+5', USD, 'not_a_number'],
    ['--5', USD, 'not_a_number'],
    ['1e1', USD, 'not_a_number'],
    [' 5', USD, 'not_a_number'],
    ['5 ', USD, 'not_a_number'],
    ['5\n', USD, 'not_a_number'],
    ['5,00', USD, 'not_a_number'],
    ['1.2.3', USD, 'not_a_number'],
    ['0x10', USD, 'not_a_number'],
    ['٥', USD, 'not_a_number'],
    ['NaN', USD, 'not_a_number'],
    [`${'0'.repeat(100_000)}x`, USD, 'not_a_number'],
  ] as const)('read $0 in $1 as $2', (text, currency, expected) => {
    expect(parseDecimal(text, currency)).toBe(expected)
  })

  it.each([
    [0n, USD, '0.00'],
    [5n, USD, '0.05'],
    [-5n, USD, '-0.05'],
    [-12_345n, USD, '-123.45'],
    [500n, JPY, '500.00'],
    [-500n, JPY, '-500.00'],
    [0n, JPY, '0.00'],
    [1n, KWD, '0.001'],
    [1_234n, KWD, '1.234'],
    [MAX_ACCOUNT_MINOR, USD, '90000000000000000.00'],
  ] as const)('print %s minor units of %s as %s', (minor, currency, expected) => {
    expect(formatMinor(minor, currency)).toBe(expected)
  })
})

describe('divideHalfUp', () => {
  it.each([
    [0n, 2n, 0n],
    [1n, 2n, 1n],
    [3n, 2n, 2n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [150n, 100n, 2n],
  ])('%s / %s is %s', (numerator, denominator, expected) => {
    expect(divideHalfUp(numerator, denominator)).toBe(expected)
  })

  it('is the one integer q with q - 1/2 <= n/d < q + 1/2', () => {
    const positive = fc.bigInt({ min: 1n, max: 10n ** 24n })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), positive, (n, d) => {
        const q = divideHalfUp(n, d)
        expect((2n * q - 1n) * d <= 2n * n && 2n * n < (2n * q + 1n) * d).toBe(true)
      }),
      runs,
    )
  })

  it('throws on invalid arguments', () => {
    expect(() => divideHalfUp(-1n, 2n)).toThrow(RangeError)
    expect(() => divideHalfUp(1n, 0n)).toThrow(RangeError)
    expect(() => divideHalfUp(1n, -2n)).toThrow(RangeError)
  })
})

it('isTooLarge: more than twelve digits before the point, in any currency', () => {
  for (const currency of [JPY, USD, KWD]) {
    const largest = 10n ** (12n + BigInt(decimalsOf(currency))) - 1n
    expect(isTooLarge(largest, currency)).toBe(false)
    expect(isTooLarge(largest + 1n, currency)).toBe(true)
    expect(isTooLarge(1n, currency)).toBe(false)
  }
})
