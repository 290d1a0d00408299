import { wireTime } from './calendar.ts'
import type { CurrencyCode } from './currencies.ts'
import { storedObject } from './json.ts'
import { formatMinor, formatRate } from './money.ts'
import { isCancelled, type Payment, type Product } from './payment.ts'
import { formatQrCode } from './qr.ts'
import type { Store } from './store.ts'

/** The data about the paying wallet that the merchant may see. */
export type Payer = {
  readonly walletId: number
  readonly publicId: string
  readonly name: string
  readonly email: string
  readonly phone: string
}

/** The latest delivery attempt of a webhook. */
type LatestAttempt = {
  readonly at: Date
  readonly statusCode: number | null
  readonly error: string | null
  readonly responseBody: string | null
}

/** The data that the details of a payment are built from. */
export type PaymentRecord = {
  readonly payment: Payment
  readonly payer: Payer | null
  readonly latestAttempt: LatestAttempt | null
}

export const qrCodeOf = (payment: Payment) =>
  formatQrCode(payment.mode, payment.storeId, payment.qrNumber)

/** The path of the uploaded logo, or of the default logo. Pages load no pictures from other hosts. */
export const logoPathOf = ({ logo, storeId }: Pick<Store, 'logo' | 'storeId'>): string =>
  logo?.startsWith('/') ? logo : `/stores/${storeId}/logo.svg`

/** What payers see of a store. */
export type StoreIdentity = Pick<Store, 'storeId' | 'name' | 'logo' | 'domain' | 'email' | 'phone'>

/** The URL of the store's own logo, or of the default logo. */
function logoUrl({ logo, storeId }: StoreIdentity, publicUrl: string): string {
  const path = logo ?? `/stores/${storeId}/logo.svg`
  return path.startsWith('/') ? `${publicUrl}${path}` : path
}

export function storeProfile(store: StoreIdentity, publicUrl: string) {
  return {
    name: store.name,
    logo: logoUrl(store, publicUrl),
    domain: store.domain,
    email: store.email,
    phone: store.phone,
  }
}

/** `currency` is that of the request or the link. */
export function productView(product: Product, currency: CurrencyCode) {
  return {
    name: product.name,
    quantity: product.quantity,
    price: formatMinor(BigInt(product.price), currency),
  }
}

export function requestAmountView(payment: {
  requestAmount: bigint
  requestCurrency: Payment['requestCurrency']
  conversionRate: bigint
}) {
  return {
    amount: formatMinor(payment.requestAmount, payment.requestCurrency),
    currency: payment.requestCurrency,
    conversion_rate: formatRate(payment.conversionRate),
  }
}

/** Builds the details of a payment for one audience. */
export type PaymentView<View> = (record: PaymentRecord, store: Store, publicUrl: string) => View

/** The details of a payment, as the API returns them and webhooks send them. */
export function paymentView(
  { payment, payer, latestAttempt }: PaymentRecord,
  store: Store,
  publicUrl: string,
) {
  const money = (minor: bigint) => formatMinor(minor, payment.currency)
  return {
    payment_id: payment.paymentId,
    qr_code: qrCodeOf(payment),
    amount: money(payment.gross - payment.fee),
    transaction_fee: money(payment.fee),
    donation_amount: money(payment.donation),
    currency: payment.currency,
    status: payment.status,
    created_at: wireTime(payment.createdAt),
    is_sandbox_transaction: payment.mode === 'sandbox',
    client: payment.client,
    user: payer && {
      id: payer.walletId,
      name: payer.name,
      email: payer.email,
      phone: payer.phone,
      wallet_id: payer.publicId,
    },
    store: storeProfile(store, publicUrl),
    webhook:
      payment.webhookUrl === null
        ? null
        : { url: payment.webhookUrl, ...attemptView(latestAttempt) },
    reference: { id: payment.referenceId, note: payment.referenceNote },
    request_amount: requestAmountView(payment),
    payload: storedObject(payment.payload),
    products: payment.products.map((product) => productView(product, payment.requestCurrency)),
    expires_at: wireTime(payment.expiresAt),
    refund: refundSummary(payment),
    link_id: payment.linkId,
  }
}

/** Null if the payment is not refunded. */
export function refundSummary({ gross, refundFee, refundedAt, currency }: Payment) {
  if (refundedAt === null || refundFee === null) return null
  return {
    refund_amount: formatMinor(gross - refundFee, currency),
    refund_fee: formatMinor(refundFee, currency),
    refunded_at: wireTime(refundedAt),
  }
}

/**
 * The details for the dashboard, the till and the operator console: they also say whether the store cancelled the payment, and
 * when it was paid.
 */
export const storePaymentView = (record: PaymentRecord, store: Store, publicUrl: string) => ({
  ...paymentView(record, store, publicUrl),
  cancelled: isCancelled(record.payment),
  paid_at: paidAt(record.payment),
})

/** `settledAt` is also the time of a failure or an expiry. */
const paidAt = ({ status, settledAt }: Payment) =>
  (status === 'completed' || status === 'refunded') && settledAt !== null
    ? wireTime(settledAt)
    : null

function attemptView(attempt: LatestAttempt | null) {
  if (attempt === null) return { called_at: null, response: null }
  const { at, statusCode, error, responseBody } = attempt
  const response = error === null ? { status_code: statusCode, body: responseBody } : { error }
  return { called_at: wireTime(at), response }
}
