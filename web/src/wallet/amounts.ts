import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { formatMinor } from '@florin/server/core/money.js'

/** Adds amounts of the API exactly. */
export function add(currency: string, ...amounts: readonly string[]): string {
  const code = currency as CurrencyCode
  return formatMinor(
    amounts.reduce((sum, amount) => sum + signedMinor(amount, code), 0n),
    code,
  )
}

export const negate = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)

export const isZero = (amount: string) => !/[1-9]/.test(amount)

/** The price of `quantity` units. */
export function multiply(amount: string, quantity: number, currency: string): string {
  const code = currency as CurrencyCode
  return formatMinor(signedMinor(amount, code) * BigInt(quantity), code)
}

/** The difference to the next whole unit, or to the next hundred for currencies without decimals. */
export function roundUpAmount(amount: string, currency: string): string {
  const code = currency as CurrencyCode
  const unit = decimalsOf(code) === 0 ? 100n : 10n ** BigInt(decimalsOf(code))
  return formatMinor((unit - (signedMinor(amount, code) % unit)) % unit, code)
}

/** Parses an amount of the API, which has two decimals even for currencies that have none. */
function signedMinor(amount: string, currency: CurrencyCode): bigint {
  const [whole, places = ''] = amount.split('.')
  return BigInt(whole + places.slice(0, decimalsOf(currency)))
}
