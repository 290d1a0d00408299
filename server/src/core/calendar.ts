/** From `from`, inclusive, to `to`, exclusive. */
export type TimeRange = { readonly from: Date; readonly to: Date }

const MINUTE_MS = 60_000

// Liberia's offset was 44 minutes and 30 seconds until January 1972. Since then every offset is a whole number of
// minutes and changes on a whole minute.
const WHOLE_MINUTES_SINCE_MS = Date.UTC(1973, 0, 1)

type Zone = {
  readonly days: Intl.DateTimeFormat
  readonly clock: Intl.DateTimeFormat
  /** The minute that `day` was computed for. */
  minute: number
  day: string
}

const zones = new Map<string, Zone>()

/** More than there are time zones. Bounded, because names are not case-sensitive. */
const MAX_ZONES = 1_000

function zoneOf(timeZone: string): Zone {
  const cached = zones.get(timeZone)
  if (cached !== undefined) return cached
  const zone = {
    days: formatter(timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' }),
    clock: formatter(timeZone, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
    minute: Number.NaN,
    day: '',
  }
  if (zones.size >= MAX_ZONES) zones.clear()
  zones.set(timeZone, zone)
  return zone
}

const formatter = (timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { timeZone, ...options })

/** Accepts names only: an offset such as `+02:00` has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    zoneOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * The calendar day in that zone. A day can't end within a minute of UTC, so the result of the slow formatter is
 * reused for the rest of the minute.
 */
export function localDay(at: Date, timeZone: string): string {
  const zone = zoneOf(timeZone)
  const atMs = at.getTime()
  if (!(atMs >= WHOLE_MINUTES_SINCE_MS)) return formatDay(at, zone.days)

  const minute = Math.floor(atMs / MINUTE_MS)
  if (minute !== zone.minute) {
    zone.day = formatDay(at, zone.days)
    zone.minute = minute
  }
  return zone.day
}

/** Vostok Station set its clocks back by seven hours in 1994. No zone has had a longer day since 1973. */
const LONGEST_DAY_MS = 31 * 60 * MINUTE_MS

/** The start of the day that includes `at` in that zone, by binary search: daylight saving can skip midnight. */
export function startOfDay(at: Date, timeZone: string): Date {
  const day = localDay(at, timeZone)
  let insideMs = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
  let beforeMs = insideMs - LONGEST_DAY_MS
  while (insideMs - beforeMs > MINUTE_MS) {
    const middleMs = beforeMs + Math.ceil((insideMs - beforeMs) / MINUTE_MS / 2) * MINUTE_MS
    if (localDay(new Date(middleMs), timeZone) === day) insideMs = middleMs
    else beforeMs = middleMs
  }
  return new Date(insideMs)
}

/** The start of a calendar day such as `2026-11-15`; null if there is no such day in that zone. */
export function startOfLocalDay(day: string, timeZone: string): Date | null {
  const noonMs = Date.parse(`${day}T12:00:00Z`)
  if (Number.isNaN(noonMs)) return null
  // Offsets are at most fourteen hours, so one of these times is in the day.
  const timeInDay = [0, -12, 12]
    .map((hours) => new Date(noonMs + hours * 60 * MINUTE_MS))
    .find((at) => localDay(at, timeZone) === day)
  return timeInDay === undefined ? null : startOfDay(timeInDay, timeZone)
}

/** The first day in that zone that begins at this time or later. */
export function firstDayFrom(at: Date, timeZone: string): string {
  const start = startOfDay(at, timeZone)
  // A time 36 hours after the start of a day is always in the next day.
  const timeInDay = start < at ? new Date(start.getTime() + 36 * 60 * MINUTE_MS) : at
  return localDay(timeInDay, timeZone)
}

const MAX_CACHED_DAYS = 10_000

/** The starts of past days by zone and day. Bounded, because clients choose both. */
const starts = new Map<string, Date>()

/** The start of the day that ends at `to`. Cached: `startOfDay` formats a dozen times, and a series has many days. */
function startOfDayUntil(to: Date, timeZone: string): Date {
  const lastMinute = new Date(to.getTime() - MINUTE_MS)
  const name = `${timeZone} ${localDay(lastMinute, timeZone)}`
  const cached = starts.get(name)
  if (cached !== undefined) return cached
  const start = startOfDay(lastMinute, timeZone)
  if (starts.size >= MAX_CACHED_DAYS) starts.clear()
  starts.set(name, start)
  return start
}

/** The day at that time and the days before it, newest first. */
export function lastDays(
  at: Date,
  timeZone: string,
  count: number,
): { day: string; from: Date; to: Date }[] {
  const days: { day: string; from: Date; to: Date }[] = []
  let from = startOfDay(at, timeZone)
  // A time 36 hours after the start of a day is always in the next day.
  let to = startOfDay(new Date(from.getTime() + 36 * 60 * MINUTE_MS), timeZone)
  while (days.length < count) {
    days.push({ day: localDay(from, timeZone), from, to })
    to = from
    from = startOfDayUntil(from, timeZone)
  }
  return days
}

/** The number of days from one calendar day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / (24 * 60 * MINUTE_MS))

/** The local time, in the format of API times. */
export function localTime(at: Date, timeZone: string): string {
  const parts = zoneOf(timeZone)
    .clock.formatToParts(at)
    .filter(({ type }) => type !== 'literal')
  return `${localDay(at, timeZone)} ${parts.map(({ value }) => value).join(':')}`
}

/** The first day of the month of a day. */
export function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`
}

/** The latest time that the API can show: `wireTime` has years of four digits. */
export const LATEST_TIME = new Date('9999-12-31T23:59:59Z')

/** A later time than the latest, such as the end of the last day, is shown as the latest. */
export function wireTime(at: Date): string {
  const shown = at > LATEST_TIME ? LATEST_TIME : at
  return shown.toISOString().slice(0, 19).replace('T', ' ')
}

const WIRE_TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/
const ISO_OFFSET = /Z|([+-])(\d\d)(?::?(\d\d))?/.source
const ISO_CLOCK = /(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/.source
const ISO_TIME = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T${ISO_CLOCK}(?:${ISO_OFFSET})?)?$`)

/** Reads the format of `wireTime`, or ISO 8601. Null for a time that doesn't exist: `Date` alone would read 30 February as 2 March. */
export function parseTime(text: string): Date | null {
  const match = WIRE_TIME.exec(text) ?? ISO_TIME.exec(text)
  if (match === null) return null
  const part = (index: number): number => Number(match[index] ?? 0)

  const [year, month, day] = [part(1), part(2), part(3)]
  const [hour, minute, second] = [part(4), part(5), part(6)]
  const [offsetHour, offsetMinute] = [part(9), part(10)]
  if (year < 1) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  if (offsetHour > 23 || offsetMinute > 59) return null

  // Not `Date.UTC`, which maps years up to 99 to the twentieth century.
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null

  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  at.setUTCHours(hour, minute, second, millisecond)
  const offsetMs = (offsetHour * 60 + offsetMinute) * MINUTE_MS
  return new Date(at.getTime() - (match[8] === '-' ? -offsetMs : offsetMs))
}

// Formats to parts, because the order and separators of a locale vary between versions of ICU.
function formatDay(at: Date, days: Intl.DateTimeFormat): string {
  let [year, month, day] = ['', '', '']
  for (const { type, value } of days.formatToParts(at)) {
    if (type === 'year') year = value.padStart(4, '0')
    if (type === 'month') month = value
    if (type === 'day') day = value
  }
  return `${year}-${month}-${day}`
}
