import type { Locale } from '@florin/shared/locales.js'
import { parseTime } from '../kit/time.ts'

function daysAgo(at: string): number {
  const startOfDay = (date: Date) =>
    new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  // Rounded, because a day with a clock change has 23 or 25 hours.
  return Math.round((startOfDay(new Date()) - startOfDay(parseTime(at))) / 86_400_000)
}

export const isToday = (at: string) => daysAgo(at) === 0

/** "Today", "Yesterday", or the date. */
export function activityDay(at: string, locale: Locale): string {
  const days = daysAgo(at)
  if (days >= 0 && days <= 1) {
    const text = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day')
    return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
  }
  return parseTime(at).toLocaleDateString(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    numberingSystem: 'latn',
  })
}
