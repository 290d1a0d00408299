import type { EventType } from './webhook.ts'

/** The outcomes of payments in a period. A refunded sale still counts as a sale. */
export type Outcomes = {
  readonly sales: number
  readonly salesGross: bigint
  readonly refunds: number
  readonly refundsGross: bigint
  readonly failed: number
  readonly expired: number
  readonly cancelled: number
}

export const NO_OUTCOMES: Outcomes = {
  sales: 0,
  salesGross: 0n,
  refunds: 0,
  refundsGross: 0n,
  failed: 0,
  expired: 0,
  cancelled: 0,
}

export type OutcomeCount = {
  readonly type: EventType
  /** Only for `payment.expired`: the store expired it early. */
  readonly isCancelled: boolean
  readonly count: number
  readonly gross: bigint
}

export function addTo(
  outcomes: Outcomes,
  { type, isCancelled, count, gross }: OutcomeCount,
): Outcomes {
  const added: Record<EventType, Partial<Outcomes>> = {
    'payment.completed': { sales: count, salesGross: gross },
    'payment.refunded': { refunds: count, refundsGross: gross },
    'payment.failed': { failed: count },
    'payment.expired': isCancelled ? { cancelled: count } : { expired: count },
  }
  return plus(outcomes, { ...NO_OUTCOMES, ...added[type] })
}

export const sumOf = (some: readonly Outcomes[]): Outcomes => some.reduce(plus, NO_OUTCOMES)

function plus(a: Outcomes, b: Outcomes): Outcomes {
  return {
    sales: a.sales + b.sales,
    salesGross: a.salesGross + b.salesGross,
    refunds: a.refunds + b.refunds,
    refundsGross: a.refundsGross + b.refundsGross,
    failed: a.failed + b.failed,
    expired: a.expired + b.expired,
    cancelled: a.cancelled + b.cancelled,
  }
}

/**
 * The share of paid payments among all that were paid, failed or expired; null if there are none. A cancelled payment
 * was withdrawn by the store, so it is no failure.
 */
export function successRate({ sales, failed, expired }: Outcomes): number | null {
  const ended = sales + failed + expired
  return ended === 0 ? null : sales / ended
}
