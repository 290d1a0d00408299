import type { Locale } from './locales.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** More than a service usually needs. Bounded, because stores can write a time zone in any case, such as `europe/PARIS`. */
const MAX_FORMATS = 1_000

const TIME = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const

type Place = { readonly locale: Locale; readonly timeZone: string }

/** Date, time to the minute and time zone, as on a receipt. */
export const timeText = (at: Date, place: Place) =>
  format('dateAndTime', { ...DAY, ...TIME }, place).format(at)

/** For rows of a list: the time, and the date unless it is today, both without the time zone. */
export function rowTimeText(at: Date, now: Date, place: Place): string {
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const day = format('date', DAY, place)
  return day.format(at) === day.format(now)
    ? format('clock', clock, place).format(at)
    : format('dateAndClock', { ...DAY, ...clock }, place).format(at)
}

/** When something ends: the time, and the date unless it is today, with the time zone. */
export function deadlineText(at: Date, now: Date, place: Place): string {
  const day = format('date', DAY, place)
  return day.format(at) === day.format(now)
    ? format('time', TIME, place).format(at)
    : timeText(at, place)
}

// Cached: creating a formatter costs far more than using it.
function format(name: string, options: Intl.DateTimeFormatOptions, { locale, timeZone }: Place) {
  const key = `${name} ${locale} ${timeZone}`
  const cached = formats.get(key)
  if (cached !== undefined) return cached
  const created = new Intl.DateTimeFormat(locale, { ...options, timeZone, numberingSystem: 'latn' })
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(key, created)
  return created
}

/** Formats a duration as `14:31`, or as `1:02:03` from one hour on, in every language. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = `${twoDigits(minutes)}:${twoDigits(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

const UNITS = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
] as const
const MAX_RELATIVE_SECONDS = 7 * 86_400

/** `3 minutes ago`, or null if `at` is a week or more away. */
export function relativeTimeText(at: Date, now: Date, locale: Locale): string | null {
  const seconds = (at.getTime() - now.getTime()) / 1000
  if (Math.abs(seconds) >= MAX_RELATIVE_SECONDS) return null
  const [unit, length] = UNITS.findLast(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  const relative = new Intl.RelativeTimeFormat(`${locale}-u-nu-latn`, { numeric: 'auto' })
  // Under a minute, show "now": the page does not count seconds.
  return relative.format(unit === 'second' ? 0 : Math.trunc(seconds / length), unit)
}
