import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { formatMinor, parseDecimal } from '@florin/server/core/money.js'

/** Sums of the API's decimal texts, exact to the last digit. */
export function added(currency: string, ...amounts: readonly string[]): string {
  const code = currency as CurrencyCode
  return formatMinor(
    amounts.reduce((sum, one) => sum + signedMinor(one, code), 0n),
    code,
  )
}

export const negative = (amount: string) =>
  amount.startsWith('-') ? amount.slice(1) : `-${amount}`

export const isZero = (amount: string) => !/[1-9]/.test(amount)

/** The price of so many. */
export function times(amount: string, quantity: number, currency: string): string {
  const code = currency as CurrencyCode
  return formatMinor(signedMinor(amount, code) * BigInt(quantity), code)
}

/** What is missing to the next whole unit, or to the next hundred where there is nothing smaller. */
export function toRoundUp(amount: string, currency: string): string {
  const code = currency as CurrencyCode
  const unit = decimalsOf(code) === 0 ? 100n : 10n ** BigInt(decimalsOf(code))
  return formatMinor((unit - (signedMinor(amount, code) % unit)) % unit, code)
}

/** An amount as somebody types it, or null. */
export function typedAmount(text: string, currency: string): string | null {
  const code = currency as CurrencyCode
  const minor = parseDecimal(westernDigits(text).trim().replace(/[,٫]/, '.'), code)
  return typeof minor === 'bigint' ? formatMinor(minor, code) : null
}

/** Arabic and Persian keyboards have digits of their own. */
export function westernDigits(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
}

/** Of what the API wrote: all the places of the currency, and two for currencies that have none. */
function signedMinor(amount: string, currency: CurrencyCode): bigint {
  const [whole, places = ''] = amount.split('.')
  return BigInt(whole + places.slice(0, decimalsOf(currency)))
}
