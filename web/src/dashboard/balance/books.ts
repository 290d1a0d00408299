/** As the API answers; amounts are decimal text. */
export type Line = {
  readonly at: string
  readonly kind: 'payment' | 'fee' | 'refund' | 'refund_fee' | 'funding' | 'payout'
  readonly reference: string
  readonly amount: string
  readonly balance: string
  readonly note: string | null
}

export type StatementData = {
  readonly currency: string
  readonly time_zone: string
  readonly balance: string
  readonly lines: readonly Line[]
  readonly next_cursor: string | null
}

type Sum = { readonly count: number; readonly amount: string }

export type Close = {
  readonly day: string
  readonly starts_at: string
  readonly ends_at: string
  readonly is_over: boolean
  readonly opening: string
  readonly sales: Sum
  readonly fees: Sum
  readonly refunds: Sum
  readonly refund_fees: Sum
  readonly funding: Sum
  readonly payouts: Sum
  readonly closing: string
}

export type ClosesData = {
  readonly currency: string
  readonly time_zone: string
  readonly closes: readonly Close[]
  readonly next_to: string | null
}
