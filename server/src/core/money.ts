import { type CurrencyCode, decimalsOf, MAX_DECIMALS } from './currencies.ts'

export type AmountProblem = 'not_a_number' | 'too_many_decimals' | 'too_large' | 'negative'

/** With three decimals this makes 15 digits, which a JSON number holds exactly. */
export const MAX_INTEGER_DIGITS = 12

/** The maximum of a PostgreSQL bigint, less room for the largest single amount. */
export const MAX_ACCOUNT_MINOR = 9_000_000_000_000_000_000n

/** Rates are integers in units of a ten-thousandth, so that conversions never use floats. */
export const RATE_ONE = 10_000n
const RATE_DECIMALS = 4

/**
 * Parses an amount from a JSON number. Works on its shortest decimal form, because 1.1 times 100 is
 * 110.00000000000001. Without a currency, only finds the problems that it has in every currency.
 */
export function parseAmount(value: unknown, currency: CurrencyCode | null): bigint | AmountProblem {
  if (typeof value !== 'number') return 'not_a_number'
  if (!Number.isFinite(value)) return 'not_a_number'
  if (value < 0 || Object.is(value, -0)) return 'negative'

  const text = String(value)
  // JavaScript prints an exponent only from 1e21 up and below 1e-6. Both are out of range.
  if (text.includes('e')) return value >= 1 ? 'too_large' : 'too_many_decimals'

  const point = text.indexOf('.')
  return point === -1
    ? toMinor(text, '', currency)
    : toMinor(text.slice(0, point), text.slice(point + 1), currency)
}

/**
 * Parses an amount from text. Accepts leading and trailing zeros, so that the output of `formatMinor` is valid
 * input. The currency is as in `parseAmount`.
 */
export function parseDecimal(text: string, currency: CurrencyCode | null): bigint | AmountProblem {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text)
  if (match === null) return 'not_a_number'
  if (match[1] !== '') return 'negative'
  const integer = match[2]!.replace(/^0+(?=[0-9])/, '')
  return toMinor(integer, withoutTrailingZeros(match[3] ?? ''), currency)
}

/** Whether the amount has too many digits before the decimal point. */
export function isTooLarge(minor: bigint, currency: CurrencyCode): boolean {
  return minor.toString().length > MAX_INTEGER_DIGITS + decimalsOf(currency)
}

/** At least two decimals: 500 yen are `500.00` in the API. */
export function formatMinor(minor: bigint, currency: CurrencyCode): string {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return `${minor}.00`
  return withPoint(minor, decimals)
}

/** Null unless it is a number above zero with at most eight integer digits and four decimals. */
export function parseRate(text: string): bigint | null {
  const match = /^([0-9]{1,8})(?:\.([0-9]{1,4}))?$/.exec(text)
  if (match === null) return null
  const rate = BigInt(match[1]! + (match[2] ?? '').padEnd(RATE_DECIMALS, '0'))
  return rate > 0n ? rate : null
}

export function formatRate(rate: bigint): string {
  return withPoint(rate, RATE_DECIMALS)
}

export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  // Rounding half up is ambiguous for negative numbers, and no caller has any.
  if (numerator < 0n) throw new RangeError('divideHalfUp needs a numerator of zero or more')
  if (denominator <= 0n) throw new RangeError('divideHalfUp needs a denominator above zero')
  return (2n * numerator + denominator) / (2n * denominator)
}

/** Returns minor units of `to`. Rounds once, half up. */
export function convert(minor: bigint, from: CurrencyCode, to: CurrencyCode, rate: bigint): bigint {
  if (from === to && rate === RATE_ONE) return minor
  return divideHalfUp(
    minor * rate * 10n ** BigInt(decimalsOf(to)),
    RATE_ONE * 10n ** BigInt(decimalsOf(from)),
  )
}

/** The integer has no leading zeros, the fraction no trailing zeros. */
function toMinor(
  integer: string,
  fraction: string,
  currency: CurrencyCode | null,
): bigint | AmountProblem {
  const decimals = currency === null ? MAX_DECIMALS : decimalsOf(currency)
  if (integer.length > MAX_INTEGER_DIGITS) return 'too_large'
  if (fraction.length > decimals) return 'too_many_decimals'
  return BigInt(integer + fraction.padEnd(decimals, '0'))
}

// A loop, because /0+$/ is quadratic for a long run of zeros before another digit.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

function withPoint(value: bigint, places: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0')
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
