import type { CurrencyCode } from '@florin/server/core/currencies.js'
import { type AmountProblem, formatMinor, parseDecimal } from '@florin/server/core/money.js'

/** Converts Arabic and Persian digits. */
export function toWesternDigits(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
}

/** Minor units of a typed amount, with a decimal point or comma, or what is wrong with it. */
export const typedMinor = (text: string, currency: string): bigint | AmountProblem =>
  parseDecimal(toWesternDigits(text).trim().replace(/[,٫]/, '.'), currency as CurrencyCode)

/** Parses a typed amount. Null if it is not one. */
export function parseTypedAmount(text: string, currency: string): string | null {
  const minor = typedMinor(text, currency)
  return typeof minor === 'bigint' ? formatMinor(minor, currency as CurrencyCode) : null
}

/** Adds amounts from the API exactly. */
export function addAmounts(currency: string, ...amounts: readonly string[]): string {
  const code = currency as CurrencyCode
  const minorOf = (amount: string) => parseDecimal(amount, code) as bigint
  const sum = amounts.reduce(
    (total, amount) =>
      total + (amount.startsWith('-') ? -minorOf(amount.slice(1)) : minorOf(amount)),
    0n,
  )
  return formatMinor(sum, code)
}
