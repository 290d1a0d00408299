import { wireTime } from '../core/calendar.ts'
import { instructions } from '../core/instructions.ts'
import type { Locale } from '../core/locales.ts'
import { formatMinor, formatRate } from '../core/money.ts'
import type { Payment, Product } from '../core/payment.ts'
import { formatQrCode } from '../core/qr.ts'
import { type Store, storeFields } from '../core/store.ts'
import type { PaidBy } from '../ops/readPayments.ts'
import type { WalletBalance } from '../store/ledger.ts'
import type { Activity, Wallet } from '../store/wallets.ts'

export const qrCodeOf = (payment: Payment) =>
  formatQrCode(payment.mode, payment.storeId, payment.qrNumber)

export function createdView(payment: Payment, store: Store, locale: Locale) {
  return {
    message: 'Payment created',
    data: {
      payment_id: payment.paymentId,
      qr_code: qrCodeOf(payment),
      instructions: instructions(payment, store, locale),
    },
  }
}

/** A logo always loads: the store's own, or one that we draw. */
export function storeProfile(store: Store, publicUrl: string) {
  return {
    name: store.name,
    logo: store.logo ?? `${publicUrl}/stores/${store.storeId}/logo.svg`,
    domain: store.domain,
    email: store.email,
    phone: store.phone,
  }
}

export function productView(product: Product, payment: Payment) {
  return {
    name: product.name,
    quantity: product.quantity,
    price: formatMinor(BigInt(product.price), payment.requestCurrency),
  }
}

export function requestAmountView(payment: {
  requestAmount: bigint
  requestCurrency: Payment['requestCurrency']
  conversionRate: bigint
}) {
  return {
    amount: formatMinor(payment.requestAmount, payment.requestCurrency),
    currency: payment.requestCurrency as string,
    conversion_rate: formatRate(payment.conversionRate),
  }
}

export function paymentView({ payment, payer }: PaidBy, store: Store, publicUrl: string) {
  const money = (minor: bigint) => formatMinor(minor, payment.currency)
  return {
    payment_id: payment.paymentId,
    qr_code: qrCodeOf(payment),
    amount: money(payment.gross - payment.fee),
    transaction_fee: money(payment.fee),
    donation_amount: money(payment.donation),
    currency: payment.currency as string,
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
    webhook: payment.webhookUrl && { url: payment.webhookUrl, called_at: null, response: null },
    reference: { id: payment.referenceId, note: payment.referenceNote },
    request_amount: requestAmountView(payment),
    payload: payment.payload,
    products: payment.products.map((product) => productView(product, payment)),
    expires_at: wireTime(payment.expiresAt),
    refund: payment.refundedAt && {
      refund_amount: money(payment.gross - payment.refundFee!),
      refund_fee: money(payment.refundFee!),
      refunded_at: wireTime(payment.refundedAt),
    },
  }
}

export function refundView(payment: Payment) {
  const money = (minor: bigint) => formatMinor(minor, payment.currency)
  return {
    payment_id: payment.paymentId,
    refund_amount: money(payment.gross - payment.refundFee!),
    refund_fee: money(payment.refundFee!),
    status: 'refunded',
    refunded_at: wireTime(payment.refundedAt!),
  }
}

export function receiptView(payment: Payment, store: Store, publicUrl: string) {
  const money = (minor: bigint) => formatMinor(minor, payment.currency)
  return {
    payment_id: payment.paymentId,
    status: 'completed',
    amount: money(payment.gross),
    donation_amount: money(payment.donation),
    total: money(payment.gross + payment.donation),
    currency: payment.currency as string,
    store: storeProfile(store, publicUrl),
    paid_at: wireTime(payment.settledAt!),
  }
}

export function storeView(store: Store, publicUrl: string) {
  const { suspended: _, created_at: __, logo: ___, ...fields } = storeFields(store)
  return { ...fields, ...storeProfile(store, publicUrl) }
}

export function walletView(wallet: Wallet, balances: readonly WalletBalance[]) {
  return {
    id: wallet.walletId as number,
    wallet_id: wallet.publicId,
    mode: wallet.mode,
    name: wallet.name,
    email: wallet.email,
    phone: wallet.phone,
    locked_until: wallet.lockedUntil && wireTime(wallet.lockedUntil),
    balances: balances.map(({ currency, balance }) => ({
      currency: currency as string,
      balance: formatMinor(balance, currency),
    })),
  }
}

/** Signed from the payer's point of view. */
export function activityView(activity: Activity, own: string) {
  const amount = activity.debit === own ? -activity.amount : activity.amount
  return {
    at: wireTime(activity.at),
    kind: activity.kind,
    amount: formatMinor(amount, activity.currency),
    currency: activity.currency as string,
    reference: activity.reference,
    store: activity.storeName,
    note: activity.note,
  }
}
