import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { formatMinor } from '@florin/server/core/money.js'
import { minorOf } from '../kit/amounts.ts'

export const negate = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)

export const isZero = (amount: string) => !/[1-9]/.test(amount)

/** The price of `quantity` units. */
export function multiply(amount: string, quantity: number, currency: string): string {
  return formatMinor(minorOf(amount, currency) * BigInt(quantity), currency as CurrencyCode)
}

/** The difference to the next whole unit, or to the next hundred for currencies without decimals. */
export function roundUpAmount(amount: string, currency: string): string {
  const code = currency as CurrencyCode
  const unit = decimalsOf(code) === 0 ? 100n : 10n ** BigInt(decimalsOf(code))
  return formatMinor((unit - (minorOf(amount, currency) % unit)) % unit, code)
}
