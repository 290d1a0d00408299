import type { Locale } from '@florin/shared/locales.js'
import { wireTime } from '../core/calendar.ts'
import { instructions } from '../core/instructions.ts'
import { formatMinor } from '../core/money.ts'
import type { Payment } from '../core/payment.ts'
import { qrCodeOf, storeProfile } from '../core/paymentView.ts'
import { type Store, storeFields } from '../core/store.ts'
import type { WalletBalance } from '../store/ledger.ts'
import type { Activity, Wallet } from '../store/wallets.ts'

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
