import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCY_CODES, decimalsOf, parseCurrency } from '../../src/core/currencies.ts'
import { convert, formatRate, parseRate, RATE_ONE } from '../../src/core/money.ts'

const runs = { numRuns: 10_000 }
const USD = parseCurrency('USD')!
const JPY = parseCurrency('JPY')!
const KWD = parseCurrency('KWD')!
const currencies = CURRENCY_CODES.map((code) => parseCurrency(code)!)
const currency = fc.constantFrom(...currencies)
const amountMinor = fc.bigInt({ min: 0n, max: 10n ** 15n })
const anyRate = fc.oneof(
  fc.bigInt({ min: 1n, max: 10n ** 12n - 1n }),
  fc.bigInt({ min: 1n, max: 30_000n }),
)

describe('rates', () => {
  it.each([
    ['1.0842', 10_842n],
    ['1', RATE_ONE],
    ['0.0001', 1n],
    ['0.5', 5_000n],
    ['149.25', 1_492_500n],
    ['99999999.9999', 999_999_999_999n],
    ['0', null],
    ['0.0000', null],
    ['1.00001', null],
    ['1.08420', null],
    ['100000000', null],
    ['-1', null],
    ['+1', null],
    ['1e1', null],
    ['', null],
    ['.5', null],
    ['1.', null],
    [' 1', null],
    ['1\n', null],
    ['9'.repeat(10_000), null],
  ] as const)('are parsed from $0 as $1', (text, expected) => {
    expect(parseRate(text)).toBe(expected)
  })

  it('survive a round trip', () => {
    fc.assert(
      fc.property(anyRate, (rate) => {
        expect(formatRate(rate)).toMatch(/^[0-9]{1,8}\.[0-9]{4}$/)
        expect(parseRate(formatRate(rate))).toBe(rate)
      }),
      runs,
    )
  })
})

describe('convert', () => {
  it.each([
    [1000n, USD, USD, RATE_ONE, 1000n],
    [1000n, USD, JPY, 1_492_500n, 1493n], // 10.00 x 149.25 = 1492.5
    [500n, JPY, USD, 67n, 335n], // 500 x 0.0067 = 3.35
    [1n, JPY, KWD, 20n, 2n], // 1 x 0.0020 = 0.002
    [1000n, KWD, USD, 32_500n, 325n], // 1.000 x 3.25
    [1n, USD, JPY, RATE_ONE, 0n], // 0.01 yen
    [50n, USD, JPY, RATE_ONE, 1n],
    [49n, USD, JPY, RATE_ONE, 0n],
  ])('%s %s to %s at %s is %s', (minor, from, to, rate, expected) => {
    expect(convert(minor, from, to, rate)).toBe(expected)
  })

  it('is within half a minor unit of the exact value, rounding half up', () => {
    fc.assert(
      fc.property(amountMinor, currency, currency, anyRate, (minor, from, to, rate) => {
        const result = convert(minor, from, to, rate)
        // The exact value in the target's minor units, as a fraction.
        const numerator = minor * rate * 10n ** BigInt(decimalsOf(to))
        const denominator = 10_000n * 10n ** BigInt(decimalsOf(from))
        const twiceError = 2n * (result * denominator - numerator)
        expect(-denominator < twiceError && twiceError <= denominator).toBe(true)
      }),
      runs,
    )
  })

  it('is monotonic', () => {
    fc.assert(
      fc.property(
        amountMinor,
        amountMinor,
        currency,
        currency,
        anyRate,
        anyRate,
        (a, b, from, to, rate, otherRate) => {
          const [less, more] = a < b ? [a, b] : [b, a]
          const [low, high] = rate < otherRate ? [rate, otherRate] : [otherRate, rate]
          expect(convert(less, from, to, low) <= convert(more, from, to, low)).toBe(true)
          expect(convert(less, from, to, low) <= convert(less, from, to, high)).toBe(true)
        },
      ),
      runs,
    )
  })

  it('is the identity for equal currencies and a rate of one', () => {
    fc.assert(
      fc.property(amountMinor, currency, (minor, code) => {
        expect(convert(minor, code, code, RATE_ONE)).toBe(minor)
      }),
      runs,
    )
  })
})
