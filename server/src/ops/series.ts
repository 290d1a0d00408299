import { localTime, type TimeRange } from '../core/calendar.ts'
import { NO_OUTCOMES, type Outcomes, totalOutcomes } from '../core/outcomes.ts'
import type { OutcomeReader, StoreDay } from './outcomes.ts'

const HOUR_MS = 3_600_000
/** Time limit for summing up several days. The client sends the request again for the rest. */
const MAX_SUMMING_MS = 1_000

export type SeriesPoint = { readonly from: Date; readonly outcomes: Outcomes }

type SeriesRequest = {
  /** Newest first. Both lists have the same length. */
  readonly days: readonly StoreDay[]
  readonly daysBefore: readonly StoreDay[]
  readonly timeZone: string
  readonly at: Date
}

/** Outcomes over time: by day, or by hour for one day, with the previous period for comparison. */
export async function readSeries(reader: OutcomeReader, request: SeriesRequest) {
  const { days, daysBefore, timeZone, at } = request
  const hours: Outcomes[] = Array.from({ length: 24 }, () => NO_OUTCOMES)
  const points: SeriesPoint[] = []
  const before: SeriesPoint[] = []
  const untilMs = performance.now() + MAX_SUMMING_MS
  const hasTimeFor = (day: StoreDay) =>
    days.length === 1 || performance.now() <= untilMs || reader.isCached(day)
  const add = (to: SeriesPoint[], { from }: StoreDay, found: readonly Outcomes[]) => {
    if (days.length > 1) to.unshift({ from, outcomes: totalOutcomes(found) })
    else to.push(...found.map((outcomes, n) => ({ from: hourOf(from, n), outcomes })))
  }
  for (const day of days) {
    if (!hasTimeFor(day)) break
    const found = await reader.readHours(day, at)
    add(points, day, found)
    for (const [n, outcomes] of found.entries()) {
      const hour = localHour(day, n, timeZone)
      hours[hour] = totalOutcomes([hours[hour]!, outcomes])
    }
  }
  for (const [n, day] of daysBefore.entries()) {
    if (!hasTimeFor(day)) break
    const until = sameTimeOfDay(at, days[n]!, day, timeZone)
    add(before, day, await reader.readHoursUntil(day, until, at))
  }
  const wantedCount = days.length + daysBefore.length
  const isComplete = days.length === 1 || points.length + before.length === wantedCount
  return { points, before, hours, isComplete }
}

const hourOf = (from: Date, n: number) => new Date(from.getTime() + n * HOUR_MS)

/** The local hour, 0 to 23, at which the nth hour of a day begins. Only a day on which clocks change needs the formatter, which is slow. */
function localHour({ from, to }: StoreDay, n: number, timeZone: string): number {
  if (to.getTime() - from.getTime() === 24 * HOUR_MS) return n
  return Number(localTime(hourOf(from, n), timeZone).slice(11, 13))
}

/**
 * The time in `before` at which clocks show the same as at `at`, which is in `day`. If `day` has not begun, the start of `before`; if
 * `day` is over, the end of `before`. If clocks skip the time, an hour earlier, but not before the start of `before`.
 */
export function sameTimeOfDay(at: Date, day: TimeRange, before: TimeRange, timeZone: string): Date {
  if (at < day.from) return before.from
  if (at >= day.to) return before.to
  const shownMs = msOfDay(at, timeZone)
  const ifNoChangeMs = before.from.getTime() + shownMs
  // On a day on which clocks change, they show another time. After the end of a short day they show a time of the next day.
  const differenceMs = msOfDay(new Date(ifNoChangeMs), timeZone) - shownMs
  const changedMs = differenceMs < -12 * HOUR_MS ? differenceMs + 24 * HOUR_MS : differenceMs
  const sameMs = Math.min(ifNoChangeMs - changedMs, before.to.getTime())
  return new Date(Math.max(sameMs, before.from.getTime()))
}

/** The time since midnight that clocks show. */
function msOfDay(at: Date, timeZone: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = localTime(at, timeZone)
    .slice(11)
    .split(':')
    .map(Number)
  return hours * HOUR_MS + minutes * 60_000 + seconds * 1_000
}
