import type { STATUSES } from '@florin/contract/values.js'
import type { CurrencyCode } from './currencies.ts'
import { refundFee } from './fees.ts'
import {
  type LinkId,
  type PaymentId,
  paymentIdLowerBound,
  type StoreAndMode,
  type WalletNumber,
} from './ids.ts'
import { parseAmount } from './money.ts'

export type Status = (typeof STATUSES)[number]

/** All allowed transitions. */
export const TRANSITIONS: Record<Status, readonly Status[]> = {
  pending: ['completed', 'failed', 'expired'],
  completed: ['refunded'],
  failed: [],
  refunded: [],
  expired: [],
}

/** A payment expires within 24 hours, and clocks may differ by an hour. */
export const MAX_PENDING_MS = 25 * 3_600_000

/** A lower bound of the ids of payments that can still be paid. */
export const oldestPendingId = (at: Date): string =>
  paymentIdLowerBound(new Date(at.getTime() - MAX_PENDING_MS))

/** A final status never changes, so it can be cached. */
export const isFinal = (status: Status) => TRANSITIONS[status].length === 0

export type Failure = 'insufficient_balance' | 'error'

export type Client = {
  readonly name: string
  readonly email: string
  readonly phone_dial_code: string | null
  readonly phone: string
}

/** The price is in minor units, as a string because it is stored as JSON. */
export type Product = { readonly name: string; readonly quantity: number; readonly price: string }

/** The primary key of a payment. */
export type PaymentKey = StoreAndMode & { readonly paymentId: PaymentId }

/** A map key for a payment. */
export const paymentMapKey = (key: PaymentKey) => `${key.storeId} ${key.mode} ${key.paymentId}`

/** A validated payment that has no id yet. */
export type NewPayment = {
  readonly gross: bigint
  readonly fee: bigint
  readonly currency: CurrencyCode
  readonly requestAmount: bigint
  readonly requestCurrency: CurrencyCode
  readonly conversionRate: bigint
  readonly client: Client | null
  readonly products: readonly Product[]
  /** JSON text of an object. */
  readonly payload: string | null
  readonly referenceId: string | null
  readonly referenceNote: string | null
  readonly webhookUrl: string | null
  readonly returnUrl: string | null
  readonly expiresInSeconds: number
}

export type Payment = PaymentKey &
  Omit<NewPayment, 'expiresInSeconds'> & {
    readonly qrNumber: bigint
    readonly status: Status
    readonly donation: bigint
    readonly createdAt: Date
    readonly expiresAt: Date
    readonly usageDay: string
    readonly usageMonth: string
    readonly settledAt: Date | null
    readonly walletId: WalletNumber | null
    readonly failure: Failure | null
    readonly refundFee: bigint | null
    readonly refundedAt: Date | null
    /** The link that the payer used; null if the store created the payment. */
    readonly linkId: LinkId | null
  }

function isOverdue(payment: Pick<Payment, 'status' | 'expiresAt'>, at: Date): boolean {
  return payment.status === 'pending' && payment.expiresAt <= at
}

/** Expired by the store before its expiry time. The API has no status of its own for it. */
export const isCancelled = ({
  status,
  settledAt,
  expiresAt,
}: Pick<Payment, 'status' | 'settledAt' | 'expiresAt'>): boolean =>
  status === 'expired' && settledAt !== null && settledAt < expiresAt

// ── Paying ──────────────────────────────────────────────────────────────────────────────────────

/** After this many failed payments of a wallet within an hour, a payment that would fail is refused instead. */
const MAX_FAILURES_PER_HOUR = 3

export type PayRefusal =
  | 'wallet_locked'
  | 'payment_unknown'
  | 'payment_expired'
  | 'payment_not_pending'
  | 'store_suspended'
  | 'donation_malformed'
  | 'donation_not_covered'
  | 'pin_needed'
  | 'too_many_failures'

export type PayDecision =
  | { readonly kind: 'pay'; readonly donation: bigint }
  | { readonly kind: 'fail' }
  | { readonly kind: 'paid_already' }
  | { readonly kind: 'refuse'; readonly reason: PayRefusal }

type PayInput = {
  readonly payment: Payment | null
  readonly walletId: WalletNumber
  /** Locked by an operator. A lock after wrong PINs prevents only sign-ins and payments that need the PIN. */
  readonly isWalletLocked: boolean
  readonly isStoreSuspended: boolean
  readonly balance: bigint
  readonly recentFailures: number
  /** The JSON number that the payer sent, if any. */
  readonly donation: unknown
  /** A total above it needs the PIN. Null without a limit, and once the PIN is verified. */
  readonly pinLimit: bigint | null
  readonly at: Date
}

export function decidePay(input: PayInput): PayDecision {
  const { payment, at } = input
  if (input.isWalletLocked) return refuse('wallet_locked')
  if (payment === null) return refuse('payment_unknown')
  if (payment.status === 'completed' && payment.walletId === input.walletId) {
    return { kind: 'paid_already' }
  }
  if (payment.status === 'expired' || isOverdue(payment, at)) return refuse('payment_expired')
  if (payment.status !== 'pending') return refuse('payment_not_pending')
  if (input.isStoreSuspended) return refuse('store_suspended')

  const donation = input.donation === undefined ? 0n : parseAmount(input.donation, payment.currency)
  if (typeof donation !== 'bigint') return refuse('donation_malformed')
  if (isAboveLimit(payment.gross + donation, input.pinLimit)) return refuse('pin_needed')
  if (payment.gross > input.balance) {
    if (input.recentFailures >= MAX_FAILURES_PER_HOUR) return refuse('too_many_failures')
    return { kind: 'fail' }
  }
  if (payment.gross + donation > input.balance) return refuse('donation_not_covered')
  return { kind: 'pay', donation }
}

/** Whether paying a total, donation included, needs the PIN. */
export const isAboveLimit = (total: bigint, limit: bigint | null): boolean =>
  limit !== null && total > limit

function refuse(reason: PayRefusal): PayDecision {
  return { kind: 'refuse', reason }
}

// ── Refunding ───────────────────────────────────────────────────────────────────────────────────

export type RefundRefusal =
  | 'payment_unknown'
  | 'already_refunded'
  | 'not_completed'
  | 'insufficient_store_balance'

/** The payer receives `amount`, which is gross less `fee`. */
export type RefundTerms = {
  readonly amount: bigint
  readonly fee: bigint
  /** The part of the fee that the store's balance doesn't cover. It is never charged. */
  readonly waivedFee: bigint
}

type RefundDecision =
  | ({ readonly kind: 'refund' } & RefundTerms)
  | { readonly kind: 'refuse'; readonly reason: RefundRefusal }

/** The balance must cover the refund amount. The part of the fee that the rest doesn't cover is waived. */
export function decideRefund(
  payment: Payment | null,
  { storeBalance, feeMinor }: { storeBalance: bigint; feeMinor: bigint },
): RefundDecision {
  if (payment === null) return { kind: 'refuse', reason: 'payment_unknown' }
  if (payment.status === 'refunded') return { kind: 'refuse', reason: 'already_refunded' }
  if (payment.status !== 'completed') return { kind: 'refuse', reason: 'not_completed' }
  const fee = refundFee(payment.gross, feeMinor)
  const amount = payment.gross - fee
  if (storeBalance < amount) return { kind: 'refuse', reason: 'insufficient_store_balance' }
  const left = storeBalance - amount
  return { kind: 'refund', amount, fee, waivedFee: left < fee ? fee - left : 0n }
}
