import type { BigNumberInput } from '@medusajs/framework/types'
import { defaultCurrencies, MathBN } from '@medusajs/framework/utils'

/**
 * The amount as a decimal, such as "12.5", without passing through a float. Medusa keeps fractions of a cent, for example of
 * taxes, even in captures. Florin refuses them, so this rounds half up to the decimals of the currency.
 */
export function toDecimal(amount: BigNumberInput, currencyCode: string): string {
  const currencies: Record<string, { decimal_digits: number } | undefined> = defaultCurrencies
  const decimals = currencies[currencyCode.toUpperCase()]?.decimal_digits
  return MathBN.convert(amount, decimals).toFixed()
}

/** Compares an amount of Medusa with one of Florin. */
export function isSameAmount(
  amount: BigNumberInput,
  currencyCode: string,
  florin: { readonly amount: string; readonly currency: string },
): boolean {
  return (
    currencyCode.toUpperCase() === florin.currency &&
    MathBN.eq(toDecimal(amount, currencyCode), florin.amount)
  )
}
