import type { CurrencyCode } from './currencies.ts'
import type { Mode } from './ids.ts'

/** The outcomes of the payments in a currency and period, for all stores together. */
export type PaymentTotals = {
  readonly completed: number
  /** Gross of the completed payments, including those refunded later. */
  readonly gross: bigint
  /** Fees of payments and refunds. */
  readonly fees: bigint
  readonly refunded: number
  readonly refundedGross: bigint
  readonly failed: number
  /** Not paid in time. */
  readonly expired: number
  /** Expired early, by the store. Not counted in `expired`. */
  readonly cancelled: number
}

export type CurrencyTotals = PaymentTotals & {
  readonly mode: Mode
  readonly currency: CurrencyCode
}

/** The totals of the period that starts then. */
export type PeriodTotals = CurrencyTotals & { readonly starts: Date }

const NO_TOTALS: PaymentTotals = {
  completed: 0,
  gross: 0n,
  fees: 0n,
  refunded: 0,
  refundedGross: 0n,
  failed: 0,
  expired: 0,
  cancelled: 0,
}

export const sumTotals = (all: readonly PaymentTotals[]): PaymentTotals =>
  all.reduce(
    (a, b) => ({
      completed: a.completed + b.completed,
      gross: a.gross + b.gross,
      fees: a.fees + b.fees,
      refunded: a.refunded + b.refunded,
      refundedGross: a.refundedGross + b.refundedGross,
      failed: a.failed + b.failed,
      expired: a.expired + b.expired,
      cancelled: a.cancelled + b.cancelled,
    }),
    NO_TOTALS,
  )

/** The length of a period. Every offset of a time zone is a multiple of it, so days consist of whole periods. */
export const TOTALS_PERIOD_MS = 5 * 60_000

/** The start of the period that contains `at`. */
export const startOfPeriod = (at: Date): Date =>
  new Date(Math.floor(at.getTime() / TOTALS_PERIOD_MS) * TOTALS_PERIOD_MS)
