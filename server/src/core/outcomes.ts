import type { EventType } from './webhook.ts'

/** How a payment was created: by a person, by the payer of a link, or by an API key. */
export type Method = 'till' | 'link' | 'api'

/** The outcomes of payments in a period. A refunded sale still counts as a sale. */
export type Outcomes = {
  readonly sales: number
  readonly salesGross: bigint
  /** Those sales that API keys created. */
  readonly apiSales: number
  readonly apiGross: bigint
  /** Those sales that payers of links created. */
  readonly linkSales: number
  readonly linkGross: bigint
  readonly refunds: number
  /** The amounts that the payers got back: gross less the refund fees. The daily close has the same sum. */
  readonly refundedToPayers: bigint
  readonly failed: number
  readonly expired: number
  readonly cancelled: number
}

export const NO_OUTCOMES: Outcomes = {
  sales: 0,
  salesGross: 0n,
  apiSales: 0,
  apiGross: 0n,
  linkSales: 0,
  linkGross: 0n,
  refunds: 0,
  refundedToPayers: 0n,
  failed: 0,
  expired: 0,
  cancelled: 0,
}

export type OutcomeCount = {
  readonly type: EventType
  /** Only for `payment.expired`: the store expired it early. */
  readonly isCancelled: boolean
  readonly method: Method
  readonly count: number
  /** The gross, or for `payment.refunded` what the payers got back. */
  readonly amount: bigint
}

export function addOutcomes(
  outcomes: Outcomes,
  { type, isCancelled, method, count, amount }: OutcomeCount,
): Outcomes {
  const added: Record<EventType, Partial<Outcomes>> = {
    'payment.completed': {
      sales: count,
      salesGross: amount,
      ...(method === 'api' && { apiSales: count, apiGross: amount }),
      ...(method === 'link' && { linkSales: count, linkGross: amount }),
    },
    'payment.refunded': { refunds: count, refundedToPayers: amount },
    'payment.failed': { failed: count },
    'payment.expired': isCancelled ? { cancelled: count } : { expired: count },
  }
  return plus(outcomes, { ...NO_OUTCOMES, ...added[type] })
}

export const totalOutcomes = (all: readonly Outcomes[]): Outcomes => all.reduce(plus, NO_OUTCOMES)

function plus(a: Outcomes, b: Outcomes): Outcomes {
  return {
    sales: a.sales + b.sales,
    salesGross: a.salesGross + b.salesGross,
    apiSales: a.apiSales + b.apiSales,
    apiGross: a.apiGross + b.apiGross,
    linkSales: a.linkSales + b.linkSales,
    linkGross: a.linkGross + b.linkGross,
    refunds: a.refunds + b.refunds,
    refundedToPayers: a.refundedToPayers + b.refundedToPayers,
    failed: a.failed + b.failed,
    expired: a.expired + b.expired,
    cancelled: a.cancelled + b.cancelled,
  }
}

/**
 * The share of paid payments among all that were paid, failed or expired; null if there are none. A cancelled payment
 * was withdrawn by the store, so it doesn't count as a failure.
 */
export function successRate({ sales, failed, expired }: Outcomes): number | null {
  const ended = sales + failed + expired
  return ended === 0 ? null : sales / ended
}
