import type { Locale } from '@florin/shared/locales.js'

/** The API's `YYYY-MM-DD HH:MM:SS`, which is UTC. */
export const dateOf = (at: string) => new Date(`${at.replace(' ', 'T')}Z`)

export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const dayOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate())

function daysAgo(at: string): number {
  // Rounded, because a day with a change of the clock is not 24 hours long.
  return Math.round((dayOf(new Date()).getTime() - dayOf(dateOf(at)).getTime()) / 86_400_000)
}

export const isToday = (at: string) => daysAgo(at) === 0

/** Today and yesterday by name, other days by date. */
export function dayText(at: string, locale: Locale): string {
  const ago = daysAgo(at)
  if (ago >= 0 && ago <= 1) {
    const text = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-ago, 'day')
    return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
  }
  const format = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
  return dateOf(at).toLocaleDateString(locale, { ...format, numberingSystem: 'latn' })
}

export const clockTime = (at: string, locale: Locale) =>
  dateOf(at).toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    numberingSystem: 'latn',
  })
