import type { BigNumberInput } from '@medusajs/framework/types'
import { MathBN } from '@medusajs/framework/utils'

// As in ISO 4217, which Florin uses. The table of Medusa has no decimals for 20 currencies that have two, such as the Serbian dinar.
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND'

/**
 * The amount as a decimal, such as "12.5", without passing through a float. Medusa keeps fractions of a cent, for example of
 * taxes, even in captures. Florin refuses them, so this rounds half up to the decimals of the currency.
 */
export function toDecimal(amount: BigNumberInput, currencyCode: string): string {
  return MathBN.convert(amount, decimalsOf(currencyCode)).toFixed()
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

function decimalsOf(currencyCode: string): number {
  const code = currencyCode.toUpperCase()
  if (WITHOUT_DECIMALS.includes(code)) return 0
  return WITH_THREE.includes(code) ? 3 : 2
}
