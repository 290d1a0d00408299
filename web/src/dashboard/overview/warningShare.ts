import type { Limit } from '@florin/contract/overview.js'

/** From this share on, a limit is worth a warning. */
const MIN_WARNING_SHARE = 0.8

/** The used share of a limit; null below the warning level, and without a limit. */
export function warningShareOf({ used, limit }: Limit): number | null {
  if (limit === null) return null
  // Only shown as a percentage, so a float is exact enough. A limit of zero is used up.
  const share = Number(limit) === 0 ? 1 : Number(used) / Number(limit)
  return share >= MIN_WARNING_SHARE ? Math.min(share, 1) : null
}
