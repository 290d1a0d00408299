/** As the API tells it. */
export type Outcomes = {
  readonly sales: { readonly count: number; readonly amount: string }
  readonly refunds: { readonly count: number; readonly amount: string }
  readonly failed: number
  readonly expired: number
  readonly success_rate: number | null
}

export type Limit = {
  readonly used: string
  readonly limit: string | null
  readonly left: string | null
}

export type Overview = {
  readonly day: string
  readonly currency: string
  readonly today: Outcomes
  readonly yesterday: Outcomes
  readonly balance: string
  readonly limits: { readonly daily: Limit; readonly monthly: Limit }
  readonly webhooks: {
    readonly failing: number
    readonly exhausted: number
    readonly last_error: string | null
  }
}

export type Point = Outcomes & { readonly from: string }

export type Series = {
  readonly currency: string
  readonly step: 'hour' | 'day'
  readonly points: readonly Point[]
  readonly is_complete: boolean
}

/** From here on a limit is worth a word. */
const NEARLY = 0.8

/** How much of a limit is used; null where that is of no concern yet. */
export function nearlyUsed({ used, limit }: Limit): number | null {
  if (limit === null) return null
  // For people to read: a float is exact enough. A limit of nothing is used up.
  const part = Number(limit) === 0 ? 1 : Number(used) / Number(limit)
  return part >= NEARLY ? Math.min(part, 1) : null
}
