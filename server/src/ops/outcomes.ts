import type { TimeRange } from '../core/calendar.ts'
import type { StoreAndMode } from '../core/ids.ts'
import { addOutcomes, NO_OUTCOMES, type Outcomes } from '../core/outcomes.ts'
import type { Database } from '../database/database.ts'
import { sumOutcomes } from '../sql/outcomes.ts'
import { findSettledUntil, MAX_WRITE_DELAY_MS } from './reportTransaction.ts'

const HOUR_MS = 3_600_000

const MAX_DAYS = 1_000

/** A day of a store, from its start to the start of the next. */
export type StoreDay = StoreAndMode & TimeRange

/** The outcomes hour by hour. The last hour ends at `untilMs`. */
type SummedHours = { readonly untilMs: number; readonly hours: readonly Outcomes[] }

/**
 * The outcomes of payments by the hour. The past doesn't change, so each full hour of a store is summed once and
 * cached; only hours that may still change are read again.
 */
export function createOutcomeReader(database: Database) {
  /** The hours of each day from its start, as far as nothing in them changes any more. */
  const days = new Map<string, Promise<SummedHours>>()
  const nameOf = ({ storeId, mode, from, to }: StoreDay) =>
    `${storeId} ${mode} ${from.getTime()} ${to.getTime()}`
  /** All events before this time are visible. */
  let visibleMs = 0
  /** How far the database's clock is ahead of the monotonic clock of this process. */
  let offsetMs = Number.NEGATIVE_INFINITY

  /** After the clock was set back, events are written in hours that are cached. Small corrections are within the write delay. */
  function forgetAfterChangedClock(nowMs: number): void {
    const newOffsetMs = nowMs - performance.now()
    const isSetBack = newOffsetMs < offsetMs - MAX_WRITE_DELAY_MS
    if (isSetBack) {
      days.clear()
      visibleMs = 0
    }
    if (isSetBack || newOffsetMs > offsetMs) offsetMs = newOffsetMs
  }

  async function add(day: StoreDay, summed: SummedHours, toMs: number): Promise<SummedHours> {
    if (toMs <= summed.untilMs) return summed
    const first = summed.hours.length
    const window = { ...day, from: new Date(summed.untilMs), to: new Date(toMs) }
    const hours = [...summed.hours]
    for (let ms = summed.untilMs; ms < toMs; ms += HOUR_MS) hours.push(NO_OUTCOMES)
    for (const { hour, ...sum } of await sumOutcomes(database, window)) {
      hours[first + hour] = addOutcomes(hours[first + hour]!, sum)
    }
    return { untilMs: toMs, hours }
  }

  async function addSettled(day: StoreDay, cached: SummedHours, nowMs: number) {
    const latestMs = nowMs - MAX_WRITE_DELAY_MS
    const untilMs = endOfFullHours(day, latestMs)
    if (untilMs <= cached.untilMs) return cached
    // Don't cache an hour whose events may still appear: a COMMIT can wait for a standby for hours.
    if (endOfFullHours(day, visibleMs) < untilMs) {
      visibleMs = Math.max(visibleMs, (await findSettledUntil(database)).getTime())
    }
    return add(day, cached, endOfFullHours(day, Math.min(latestMs, visibleMs)))
  }

  /** Loads the full hours of a day. Serialized for each day: two concurrent calls would sum the same hours twice. */
  function loadSettled(day: StoreDay, nowMs: number): Promise<SummedHours> {
    forgetAfterChangedClock(nowMs)
    const name = nameOf(day)
    const before = days.get(name) ?? Promise.resolve({ untilMs: day.from.getTime(), hours: [] })
    const next = before.then((cached) => addSettled(day, cached, nowMs))
    days.delete(name)
    days.set(name, next)
    next.catch(() => {
      if (days.get(name) === next) days.delete(name)
    })
    if (days.size > MAX_DAYS) days.delete(days.keys().next().value!)
    return next
  }

  return {
    /** Whether the full hours of a day are cached. */
    isCached: (day: StoreDay) => days.has(nameOf(day)),

    /** The hours of a day until `at`. */
    async readHours(day: StoreDay, at: Date): Promise<readonly Outcomes[]> {
      const cached = await loadSettled(day, at.getTime())
      const toMs = Math.min(day.to.getTime(), at.getTime() + 1)
      return (await add(day, cached, toMs)).hours
    },

    /** The hours of a day until a time in it. The last one may be a part of an hour. */
    async readHoursUntil(day: StoreDay, until: Date, at: Date): Promise<readonly Outcomes[]> {
      const fullHours = Math.floor((until.getTime() - day.from.getTime()) / HOUR_MS)
      const fromMs = day.from.getTime() + fullHours * HOUR_MS
      const { hours } = await add(day, await loadSettled(day, at.getTime()), fromMs)
      const part = await add(day, { untilMs: fromMs, hours: [] }, until.getTime())
      return [...hours.slice(0, fullHours), ...part.hours]
    },
  }
}

export type OutcomeReader = ReturnType<typeof createOutcomeReader>

/**
 * The end of the last hour of a day that is over at `latestMs`. The last hour of a past day may be short, in time zones that
 * shift their clocks by half an hour.
 */
function endOfFullHours({ from, to }: StoreDay, latestMs: number): number {
  if (latestMs >= to.getTime()) return to.getTime()
  const fullHours = Math.max(0, Math.floor((latestMs - from.getTime()) / HOUR_MS))
  return from.getTime() + fullHours * HOUR_MS
}
