import type { PaymentDetails } from '@florin/contract/payments.js'
import type { StorePayment } from '@florin/contract/store.js'
import type { CurrencyCode } from '@florin/server/core/currencies.js'
import type { Mode } from '@florin/server/core/ids.js'
import { formatMinor } from '@florin/server/core/money.js'
import { addAmounts, minorOf } from '../amounts.ts'
import type { ShownStatus } from '../display.tsx'

export const MODES: readonly Mode[] = ['live', 'sandbox']

/** The key of the mode's name in the words. */
export const modeWord = (mode: Mode) => (mode === 'live' ? 'live' : 'sandboxShort')

/** The gross amount: what the payer pays, without a donation. */
export function grossOf({ amount, transaction_fee, currency }: PaymentDetails): string {
  return addAmounts(currency, amount, transaction_fee)
}

/** What the payer paid, or got back after the refund fee. */
export const outcomeAmountOf = (payment: StorePayment): string =>
  payment.refund?.refund_amount ?? grossOf(payment)

export const shownStatus = ({ status, cancelled }: StorePayment): ShownStatus =>
  cancelled ? 'cancelled' : status

/** The price of all units of a product, in the currency of the request. */
export function lineTotal(
  { price, quantity }: PaymentDetails['products'][number],
  { request_amount: requested }: PaymentDetails,
): string {
  const code = requested.currency as CurrencyCode
  return formatMinor(minorOf(price, code) * BigInt(quantity), code)
}

/** Separates a QR number into groups of four digits. */
export const groupDigits = (code: string) => code.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
