import { type CurrencyCode, parseCurrency } from '@florin/server/core/currencies.js'
import { convert, formatMinor, parseDecimal, parseRate } from '@florin/server/core/money.js'
import type { Locale } from '@florin/shared/locales.js'
import { addAmounts, minorOf } from '../kit/amounts.ts'

export function numberText(value: number, locale: Locale): string {
  const options = { maximumFractionDigits: 1, numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(locale, options).format(value)
}

export const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** The amount divided by the count, rounded down. */
export function average(amount: string, count: number, currency: string): string {
  const code = currency as CurrencyCode
  return formatMinor(count === 0 ? 0n : minorOf(amount, code) / BigInt(count), code)
}

/** Subtracts an amount from a balance. Null unless the amount is above zero. */
export const subtract = (currency: string, balance: string, amount: string): string | null =>
  isPositiveAmount(amount, currency) ? addAmounts(currency, balance, `-${amount}`) : null

/** Adds an amount to a balance. Null unless the amount is above zero. */
export const add = (currency: string, balance: string, amount: string): string | null =>
  isPositiveAmount(amount, currency) ? addAmounts(currency, balance, amount) : null

function isPositiveAmount(text: string, currency: string): boolean {
  const minor = parseDecimal(text, currency as CurrencyCode)
  return typeof minor === 'bigint' && minor > 0n
}

export const isCurrency = (code: string) => parseCurrency(code) !== null

/** Converts an amount with a valid rate. */
export function convertAmount(amount: string, from: string, to: string, rate: string): string {
  const [fromCode, toCode] = [from as CurrencyCode, to as CurrencyCode]
  return formatMinor(convert(minorOf(amount, from), fromCode, toCode, parseRate(rate)!), toCode)
}

/** Basis points as a percentage, without the percent sign: `150` becomes `1.50`. */
export const percentOf = (bps: number) => (bps / 100).toFixed(2)
