import type { Store } from './store.ts'

export type Period = 'day' | 'month'

/** Applies to every store, far above any real volume. Keeps the counters within the range of a bigint column. */
export const MAX_VOLUME_MINOR = 10n ** 17n

export function limitOf(store: Store, period: Period): bigint {
  const setting = period === 'day' ? store.dailyLimitMinor : store.monthlyLimitMinor
  return setting === null || setting > MAX_VOLUME_MINOR ? MAX_VOLUME_MINOR : setting
}

export type Breach = { readonly period: Period; readonly left: bigint }

/** The first limit that this amount would exceed; null if it exceeds none. */
export function limitBreach(
  store: Store,
  used: Record<Period, bigint>,
  amount: bigint,
): Breach | null {
  for (const period of ['day', 'month'] as const) {
    const left = limitOf(store, period) - used[period]
    if (amount > left) return { period, left: left > 0n ? left : 0n }
  }
  return null
}
