import { isDay } from '../kit/time.ts'

/** Calendar days of this device, such as `2026-11-01`. The last day is part of the period. */
export type Period = { readonly first: string; readonly last: string }

const MAX_DAYS = 366

const twoDigits = (n: number) => String(n).padStart(2, '0')
const dayOf = (date: Date) =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`

/** Local midnight at the start of a day, or of a later one. */
function startOf(day: string, daysLater = 0): Date {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year!, month! - 1, date! + daysLater)
}

export const PRESETS = {
  thisMonth: (now) => monthOf(now, 0),
  lastMonth: (now) => monthOf(now, -1),
  thisYear: (now) => ({ first: `${now.getFullYear()}-01-01`, last: dayOf(now) }),
} as const satisfies Record<string, (now: Date) => Period>

function monthOf(now: Date, offset: number): Period {
  const [year, month] = [now.getFullYear(), now.getMonth() + offset]
  return { first: dayOf(new Date(year, month, 1)), last: dayOf(new Date(year, month + 1, 0)) }
}

export type PeriodProblem = 'periodWrong' | 'periodTooLong' | 'periodArchived'

/** The times from the start of the first day to the end of the last, or the problem with the period. */
export function timesOf({ first, last }: Period): { from: Date; to: Date } | PeriodProblem {
  if (!isDay(first) || !isDay(last) || last < first) return 'periodWrong'
  const [from, to] = [startOf(first), startOf(last, 1)]
  // Rounded, because a day with a clock change has 23 or 25 hours.
  const days = Math.round((to.getTime() - from.getTime()) / 86_400_000)
  return days > MAX_DAYS ? 'periodTooLong' : { from, to }
}
