import { startOfDay, startOfLocalDay, wireTime } from '@florin/server/core/calendar.js'
import type { Status } from '@florin/server/core/payment.js'

export const STATUSES: readonly Status[] = ['pending', 'completed', 'failed', 'expired', 'refunded']

/** The filters by their names in the URL. */
export const FILTERS = [
  'search',
  'status',
  'from',
  'to',
  'min',
  'max',
  'payer',
  'reference',
] as const
export type Filter = (typeof FILTERS)[number]

export const isFiltered = (query: URLSearchParams) => FILTERS.some((name) => query.has(name))

/** The query of the API. Days are days of the store's time zone, the last one included. */
export function listQuery(query: URLSearchParams, timeZone: string): URLSearchParams {
  const result = new URLSearchParams()
  const set = (name: string, value: string | null) => {
    if (value !== null && value !== '') result.set(name, value)
  }
  set('search', query.get('search'))
  set('status', query.get('status'))
  set('amount_from', query.get('min'))
  set('amount_to', query.get('max'))
  set('payer', query.get('payer'))
  set('reference_id', query.get('reference'))
  set('created_from', dayEdge(query.get('from'), timeZone, 'start'))
  set('created_to', dayEdge(query.get('to'), timeZone, 'end'))
  return result
}

/** Always inside the next day, even if a clock change makes a day 23 or 25 hours long. */
const NEXT_DAY_MS = 36 * 3_600_000

/** The start of a day, or of the day after it. Invalid text is passed on for the server to refuse. */
function dayEdge(day: string | null, timeZone: string, edge: 'start' | 'end'): string | null {
  const start = day === null ? null : startOfLocalDay(day, timeZone)
  if (start === null) return day
  const at = edge === 'end' ? startOfDay(new Date(start.getTime() + NEXT_DAY_MS), timeZone) : start
  return wireTime(at)
}
