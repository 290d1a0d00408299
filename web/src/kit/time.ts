import type { Locale } from '@florin/shared/locales.js'

/** The API's `YYYY-MM-DD HH:MM:SS`, which is UTC. */
export const parseTime = (text: string) => new Date(`${text.replace(' ', 'T')}Z`)

/** Without the zone, for lists that name it once. */
export function clockOf(text: string, locale: Locale, timeZone: string): string {
  const shown = { hour: '2-digit', minute: '2-digit', timeZone, numberingSystem: 'latn' } as const
  return new Intl.DateTimeFormat(locale, shown).format(parseTime(text))
}

/** A calendar day as the API writes it, `2026-11-15`, in words. */
export function dayText(day: string, locale: Locale): string {
  const shown = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale, { ...shown, numberingSystem: 'latn' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}
