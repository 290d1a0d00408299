import type { LinkPreview } from '@florin/contract/walletLinks.js'
import type { CurrencyCode } from '@florin/server/core/currencies.js'
import { convert, formatMinor, parseDecimal, parseRate } from '@florin/server/core/money.js'
import { addAmounts, parseTypedAmount } from '../kit/amounts.ts'
import { negate } from './amounts.ts'
import type { Due } from './due.ts'

/** The amount that the payer typed, in the currency of the link. */
export const typedAmount = ({ request_amount }: LinkPreview, typed: string): string =>
  parseTypedAmount(typed.replace(/\.$/, '') || '0', request_amount.currency) ?? '0.00'

/** What the payer is asked to pay. `typed` is unused if the link sets the amount. */
export function dueOf(preview: LinkPreview, typed: string): Due {
  const { request_amount: requested, currency, pin_limit } = preview
  const amount = preview.amount ?? convertToStoreCurrency(preview, typedAmount(preview, typed))
  return {
    ...preview,
    amount,
    request_amount: {
      amount: requested.amount ?? typedAmount(preview, typed),
      currency: requested.currency,
      conversion_rate: requested.conversion_rate ?? '',
    },
    pin_needed: pin_limit !== null && exceeds(amount, pin_limit, currency),
  }
}

export const exceeds = (amount: string, other: string, currency: string) =>
  addAmounts(currency, other, negate(amount)).startsWith('-')

/** The amount that the wallet pays, at the rate of the preview. */
function convertToStoreCurrency({ request_amount, currency }: LinkPreview, amount: string): string {
  const [from, to] = [request_amount.currency as CurrencyCode, currency as CurrencyCode]
  const rate = parseRate(request_amount.conversion_rate ?? '')
  const minor = parseDecimal(amount, from)
  return formatMinor(
    typeof minor === 'bigint' && rate !== null ? convert(minor, from, to, rate) : 0n,
    to,
  )
}
