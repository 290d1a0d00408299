import type { Locale } from '@florin/shared/locales.js'
import { wireTime } from '../../core/calendar.ts'
import { limitOf, MAX_VOLUME_MINOR, type Period } from '../../core/limits.ts'
import { formatMinor } from '../../core/money.ts'
import { type Method, type Outcomes, successRate } from '../../core/outcomes.ts'
import type { Payment } from '../../core/payment.ts'
import { qrCodeOf, storeProfile } from '../../core/paymentView.ts'
import { pinLimitsView } from '../../core/pinLimits.ts'
import { returnLink } from '../../core/returnUrl.ts'
import { type Store, storeFields } from '../../core/store.ts'
import type { PaymentActor, PaymentAudit } from '../../ops/auditPayment.ts'
import type { AuditEntry } from '../../sql/auditLog.ts'
import type { TransferLine, WalletBalance } from '../../sql/ledger.ts'
import type { Wallet } from '../../sql/wallets.ts'
import { instructions } from './payment/instructions.ts'

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
    currency: payment.currency,
    store: storeProfile(store, publicUrl),
    paid_at: wireTime(payment.settledAt!),
    return_url: returnLink(payment),
  }
}

export function storeView(store: Store, publicUrl: string) {
  const {
    suspended,
    created_at,
    logo,
    locale,
    mail_receipts,
    mail_daily_close,
    second_factor_roles,
    ...fields
  } = storeFields(store)
  return { ...fields, ...storeProfile(store, publicUrl) }
}

export function walletView(wallet: Wallet, balances: readonly WalletBalance[]) {
  return {
    id: wallet.walletId,
    wallet_id: wallet.publicId,
    mode: wallet.mode,
    name: wallet.name,
    email: wallet.email,
    phone: wallet.phone,
    locked_until: wallet.lockedUntil && wireTime(wallet.lockedUntil),
    erased_at: wallet.erasedAt && wireTime(wallet.erasedAt),
    balances: balances.map(({ currency, balance }) => ({
      currency,
      balance: formatMinor(balance, currency),
    })),
    activated: wallet.pinHash !== null,
    locale: wallet.locale,
    mail_receipts: wallet.mailReceipts,
    pin_limits: pinLimitsView(wallet.pinLimits),
  }
}

/** `limit` and `left` are null if no limit is set. */
export function limitView(store: Store, period: Period, used: Record<Period, bigint>) {
  const money = (minor: bigint) => formatMinor(minor, store.currency)
  const limit = limitOf(store, period)
  const left = limit > used[period] ? limit - used[period] : 0n
  const isSet = limit !== MAX_VOLUME_MINOR
  return {
    used: money(used[period]),
    limit: isSet ? money(limit) : null,
    left: isSet ? money(left) : null,
  }
}

export function outcomesView(outcomes: Outcomes, store: Store) {
  const sum = (count: number, minor: bigint) => ({
    count,
    amount: formatMinor(minor, store.currency),
  })
  return {
    sales: sum(outcomes.sales, outcomes.salesGross),
    refunds: sum(outcomes.refunds, outcomes.refundedToPayers),
    failed: outcomes.failed,
    expired: outcomes.expired,
    cancelled: outcomes.cancelled,
    success_rate: successRate(outcomes),
  }
}

/** Sales by the way in which the payments were created. */
export function methodsView(outcomes: Outcomes, store: Store) {
  const { sales, salesGross, apiSales, apiGross, linkSales, linkGross } = outcomes
  const view = (method: Method, count: number, gross: bigint) => ({
    method,
    sales: { count, amount: formatMinor(gross, store.currency) },
  })
  return [
    view('till', sales - apiSales - linkSales, salesGross - apiGross - linkGross),
    view('link', linkSales, linkGross),
    view('api', apiSales, apiGross),
  ]
}

const ACCOUNTS = { store: 'store', fees: 'fees', gifts: 'gifts', wallet: 'payer' } as const

/** Names each account by its kind only: a wallet is `payer`, because the payer is shown separately. */
export function transferLineView(line: TransferLine) {
  const account = (name: string) => ACCOUNTS[name.split(':')[0] as keyof typeof ACCOUNTS] ?? name
  return {
    at: wireTime(line.at),
    kind: line.kind,
    from: account(line.debit),
    to: account(line.credit),
    amount: formatMinor(line.amount, line.currency),
    currency: line.currency,
    note: line.note,
  }
}

export const auditEntryView = (entry: AuditEntry) => ({
  id: String(entry.entryId),
  at: wireTime(entry.at),
  actor: entry.actor,
  action: entry.action,
  subject: entry.subject,
  before: entry.before,
  after: entry.after,
  request_id: entry.requestId,
})

export const paymentAuditView = (paymentId: string, audit: PaymentAudit) => {
  const view = (actor: PaymentActor | null) =>
    actor && { kind: actor.kind, name: actor.name, api_key: actor.apiKey }
  return {
    payment_id: paymentId,
    created_by: view(audit.createdBy),
    refunded_by: view(audit.refundedBy),
    cancelled_by: view(audit.cancelledBy),
  }
}
