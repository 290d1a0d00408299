import { startOfDay, startOfLocalDay, wireTime } from '@florin/server/core/calendar.js'
import type { Status } from '../../kit/display.tsx'

export const STATUSES: readonly Status[] = [
  ...(['pending', 'completed', 'failed', 'expired', 'refunded'] as const),
]

/** What can be asked for, by its name in the address. */
export const FILTERS = [
  ...(['search', 'status', 'from', 'to', 'min', 'max', 'payer', 'reference'] as const),
]
export type Filter = (typeof FILTERS)[number]

export const isFiltered = (query: URLSearchParams) => FILTERS.some((name) => query.has(name))

/** The question to the API. Days are the store's own, and the last one is meant to its end. */
export function listQuery(query: URLSearchParams, timeZone: string): URLSearchParams {
  const asked = new URLSearchParams()
  const pass = (name: string, value: string | null) => {
    if (value !== null && value !== '') asked.set(name, value)
  }
  pass('search', query.get('search'))
  pass('status', query.get('status'))
  pass('amount_from', query.get('min'))
  pass('amount_to', query.get('max'))
  pass('payer', query.get('payer'))
  pass('reference_id', query.get('reference'))
  pass('created_from', timeOf(query.get('from'), timeZone))
  pass('created_to', timeOf(query.get('to'), timeZone, 'end'))
  return asked
}

const NEXT_DAY_MS = 36 * 3_600_000

/** What is no day is passed on as it is, for the server to say so. */
function timeOf(day: string | null, timeZone: string, edge?: 'end'): string | null {
  const start = day === null ? null : startOfLocalDay(day, timeZone)
  if (start === null) return day
  const at = edge === 'end' ? startOfDay(new Date(start.getTime() + NEXT_DAY_MS), timeZone) : start
  return wireTime(at)
}
