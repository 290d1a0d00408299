import type { Locale } from '@florin/shared/locales.js'

/** Parses the API's `YYYY-MM-DD HH:MM:SS`, which is UTC. */
export const parseTime = (text: string) => new Date(`${text.replace(' ', 'T')}Z`)

/** The time zone of this device. */
export const LOCAL_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Hours and minutes, without the name of the time zone. */
export function clockOf(text: string, locale: Locale, timeZone = LOCAL_TIME_ZONE): string {
  const options = { hour: '2-digit', minute: '2-digit', timeZone, numberingSystem: 'latn' } as const
  return new Intl.DateTimeFormat(locale, options).format(parseTime(text))
}

/** Whether the text is a day of the calendar. `2026-02-30` is not. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}

/** A calendar day of the API, such as `2026-11-15`, in words. */
export function dayText(day: string, locale: Locale): string {
  const options = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  } as const
  return new Intl.DateTimeFormat(locale, options).format(new Date(`${day}T00:00:00Z`))
}
