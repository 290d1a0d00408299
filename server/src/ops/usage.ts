import { localDay, monthOf } from '../core/calendar.ts'
import type { Mode } from '../core/ids.ts'
import { type Breach, limitBreach, limitOf, type Period } from '../core/limits.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import { changeUsage, findUsage, insertUsage, type UsageKey } from '../sql/usage.ts'
import type { Outbox } from './events.ts'
import { expireOverdue } from './expirePayments.ts'

/** How much of its limits a store has used. Overdue payments are expired first, so they don't count. */
export async function readUsage(
  database: Database,
  outbox: Outbox,
  { storeId, timeZone }: Store,
  mode: Mode,
): Promise<Record<Period, bigint>> {
  await expireOverdue(database, outbox, [storeId])
  const day = localDay(await readDatabaseTime(database), timeZone)
  const usage = await findUsage(database, [
    { storeId, mode, period: 'day', starts: day },
    { storeId, mode, period: 'month', starts: monthOf(day) },
  ])
  const usedIn = (period: Period) => usage.find((row) => row.period === period)?.used ?? 0n
  return { day: usedIn('day'), month: usedIn('month') }
}

type VolumeRequest = { readonly store: Store; readonly mode: Mode }
type Counter = UsageKey & { used: bigint; delta: bigint; ceiling: bigint; isNew: boolean }

/**
 * Tracks the volume of each store's day and month while a batch is decided in order of arrival. The query is sent together
 * with the locks, before the time of the op is known. So this machine's day is assumed; if it differs, the usage is read again.
 */
export async function trackVolume(
  tx: Tx,
  requests: readonly VolumeRequest[],
  locked: Promise<Date>,
) {
  const assumedAt = new Date()
  const [at, assumed] = await Promise.all([locked, trackVolumeAt(tx, requests, assumedAt)])
  const isSameDay = ({ store: { timeZone } }: VolumeRequest) =>
    localDay(assumedAt, timeZone) === localDay(at, timeZone)
  return requests.every(isSameDay) ? assumed : trackVolumeAt(tx, requests, at)
}

async function trackVolumeAt(tx: Tx, requests: readonly VolumeRequest[], at: Date) {
  const counters = new Map<string, Counter>()
  const nameOf = (key: UsageKey) => `${key.storeId} ${key.mode} ${key.period} ${key.starts}`
  const openCounter = ({ store, mode }: VolumeRequest, period: Period, starts: string): Counter => {
    const { storeId } = store
    const name = nameOf({ storeId, mode, period, starts })
    const ceiling = limitOf(store, period)
    const existing = counters.get(name)
    if (existing !== undefined) {
      if (ceiling > existing.ceiling) existing.ceiling = ceiling
      return existing
    }
    const fresh = { storeId, mode, period, starts, used: 0n, delta: 0n, ceiling, isNew: true }
    counters.set(name, fresh)
    return fresh
  }
  // Keyed by the settings object: within one batch a store may have two time zones, before and after a change.
  const ofStore = new Map<Store, Partial<Record<Mode, Record<Period, Counter>>>>()
  const countersOf = (request: VolumeRequest): Record<Period, Counter> => {
    const { store, mode } = request
    const existing = ofStore.get(store)?.[mode]
    if (existing !== undefined) return existing
    const today = localDay(at, store.timeZone)
    const day = openCounter(request, 'day', today)
    const month = openCounter(request, 'month', monthOf(today))
    const fresh = { day, month }
    ofStore.set(store, { ...ofStore.get(store), [mode]: fresh })
    return fresh
  }
  for (const request of requests) countersOf(request)
  for (const usage of await findUsage(tx, [...counters.values()])) {
    const counter = counters.get(nameOf(usage))!
    counter.used = usage.used
    counter.isNew = false
  }

  return {
    take(request: VolumeRequest, gross: bigint): Breach | null {
      const { day, month } = countersOf(request)
      const used = { day: day.used + day.delta, month: month.used + month.delta }
      const breach = limitBreach(request.store, used, gross)
      if (breach !== null) return breach
      day.delta += gross
      month.delta += gross
      return null
    },
    async write(): Promise<void> {
      const changed = [...counters.values()].filter((candidate) => candidate.delta > 0n)
      const opened = changed.filter((candidate) => candidate.isNew)
      await Promise.all([insertUsage(tx, opened), changeUsage(tx, changed)])
    },
  }
}

type Decided = { readonly kind: string }

/**
 * Overdue payments count towards the limits until they are expired. They must not cause a refusal, so they are expired and the
 * requests that exceeded a limit are decided again. Also if this call expired none: another process, or another batch of this
 * one, may have done it since the first decision.
 */
export async function decideWithoutOverdue<
  Request extends { readonly store: Store },
  Result extends Decided,
>(
  database: Database,
  outbox: Outbox,
  requests: readonly Request[],
  decide: (requests: readonly Request[]) => Promise<Result[]>,
): Promise<(Result | Error)[]> {
  const results = await decide(requests)
  const refused = requests.filter((_, index) => results[index]!.kind === 'limit_reached')
  if (refused.length === 0) return results
  const stores = [...new Set(refused.map((request) => request.store.storeId))]
  const decideAgain = async () => {
    await expireOverdue(database, outbox, stores)
    return decide(refused)
  }
  // The others are committed, so an error from here on fails only the refused requests.
  const retried = await decideAgain().catch((error: Error) => refused.map(() => error))
  return results.map((result) => (result.kind === 'limit_reached' ? retried.shift()! : result))
}
