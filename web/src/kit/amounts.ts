import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { type AmountProblem, formatMinor, parseDecimal } from '@florin/server/core/money.js'

/** Converts Arabic, Persian and full-width digits. */
export function toWesternDigits(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10))
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
}

/** A typed number with Western digits and a decimal point, as the API reads it. Many languages write a decimal comma. */
export const toDecimal = (text: string): string =>
  toWesternDigits(text)
    .trim()
    .replace(/[,٫．，]/, '.')

/** Minor units of a typed amount, or what is wrong with it. */
export const typedMinor = (text: string, currency: string): bigint | AmountProblem =>
  parseDecimal(toDecimal(text), currency as CurrencyCode)

/** Parses a typed amount. Null if it is not one. */
export function parseTypedAmount(text: string, currency: string): string | null {
  const minor = typedMinor(text, currency)
  return typeof minor === 'bigint' ? formatMinor(minor, currency as CurrencyCode) : null
}

/** Parses a typed whole number of at most nine digits. Null if it is not one. */
export function parseTypedWholeNumber(text: string): number | null {
  const digits = toWesternDigits(text).trim()
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null
}

/** Minor units of an amount from the API. Balances and sums can have more digits than `parseDecimal` accepts. */
export function minorOf(amount: string, currency: string): bigint {
  const decimals = decimalsOf(currency as CurrencyCode)
  const [integer = '', fraction = ''] = amount.split('.')
  // The API writes 500 yen as `500.00`.
  return BigInt(integer + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** Adds amounts from the API exactly. */
export const addAmounts = (currency: string, ...amounts: readonly string[]): string =>
  formatMinor(
    amounts.reduce((total, amount) => total + minorOf(amount, currency), 0n),
    currency as CurrencyCode,
  )
