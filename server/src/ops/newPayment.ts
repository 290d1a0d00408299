import { localDay, monthOf } from '../core/calendar.ts'
import { type Mode, mintPaymentId } from '../core/ids.ts'
import type { NewPayment, Payment } from '../core/payment.ts'
import { mintQrNumber } from '../core/qr.ts'
import type { Store } from '../core/store.ts'

/** A payment with the API key that created it; null if a person or a payer did. */
export type StoredPayment = Payment & { readonly createdByKey: string | null }

type Request = {
  readonly store: Store
  readonly mode: Mode
  readonly payment: NewPayment
  readonly apiKey: string | null
}

/** A pending payment with its ids, created now. */
export function newPayment({ store, mode, payment, apiKey }: Request, at: Date): StoredPayment {
  const day = localDay(at, store.timeZone)
  // List the fields one by one: V8 is slow at creating and reading an object with a spread of this size.
  return {
    storeId: store.storeId,
    mode,
    paymentId: mintPaymentId(at, store.storeId),
    qrNumber: mintQrNumber(at),
    status: 'pending',
    gross: payment.gross,
    fee: payment.fee,
    donation: 0n,
    currency: payment.currency,
    requestAmount: payment.requestAmount,
    requestCurrency: payment.requestCurrency,
    conversionRate: payment.conversionRate,
    client: payment.client,
    products: payment.products,
    payload: payment.payload,
    referenceId: payment.referenceId,
    referenceNote: payment.referenceNote,
    webhookUrl: payment.webhookUrl,
    returnUrl: payment.returnUrl,
    createdAt: at,
    expiresAt: new Date(at.getTime() + payment.expiresInSeconds * 1000),
    usageDay: day,
    usageMonth: monthOf(day),
    settledAt: null,
    walletId: null,
    failure: null,
    refundFee: null,
    refundedAt: null,
    linkId: null,
    createdByKey: apiKey,
  }
}
