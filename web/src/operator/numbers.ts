import { type CurrencyCode, parseCurrency } from '@florin/server/core/currencies.js'
import { formatMinor, parseDecimal } from '@florin/server/core/money.js'
import type { Locale } from '@florin/shared/locales.js'

export function numberText(value: number, locale: Locale): string {
  const shown = { maximumFractionDigits: 1, numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(locale, shown).format(value)
}

export const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** Adds amounts of the API exactly. Null if one of them is not an amount. */
export function sum(currency: string, ...amounts: string[]): string | null {
  const code = currency as CurrencyCode
  let total = 0n
  for (const amount of amounts) {
    const isNegative = amount.startsWith('-')
    const minor = parseDecimal(isNegative ? amount.slice(1) : amount, code)
    if (typeof minor !== 'bigint') return null
    total += isNegative ? -minor : minor
  }
  return formatMinor(total, code)
}

/** The amount divided by the count, rounded down. */
export function average(amount: string, count: number, currency: string): string {
  const code = currency as CurrencyCode
  const minor = parseDecimal(amount, code) as bigint
  return formatMinor(count === 0 ? 0n : minor / BigInt(count), code)
}

/** Null unless `amount` is above zero. */
export function minus(currency: string, from: string, amount: string): string | null {
  if (!isPositiveAmount(amount, currency)) return null
  return sum(currency, from, `-${amount}`)
}

export function plus(currency: string, to: string, amount: string): string | null {
  return isPositiveAmount(amount, currency) ? sum(currency, to, amount) : null
}

function isPositiveAmount(text: string, currency: string): boolean {
  const minor = parseDecimal(text, currency as CurrencyCode)
  return typeof minor === 'bigint' && minor > 0n
}

export const isCurrency = (code: string) => parseCurrency(code) !== null

/** Basis points as a percentage. */
export const percentOf = (bps: number) => (bps / 100).toFixed(2)
