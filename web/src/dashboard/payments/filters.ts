import { startOfDay, startOfLocalDay, wireTime } from '@florin/server/core/calendar.js'
import type { ShownStatus } from '../../kit/display.tsx'

export const STATUSES: readonly ShownStatus[] = [
  'pending',
  'completed',
  'failed',
  'expired',
  'cancelled',
  'refunded',
]

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
  'link',
] as const
export type Filter = (typeof FILTERS)[number]

export const isFiltered = (query: URLSearchParams) => FILTERS.some((name) => query.has(name))

/** The names of the filters in the API, except days, which the list and the export name differently. */
const API_NAMES = {
  search: 'search',
  status: 'status',
  min: 'amount_from',
  max: 'amount_to',
  payer: 'payer',
  reference: 'reference_id',
  link: 'link_id',
} as const

function apiQuery(
  query: URLSearchParams,
  days: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const filters = Object.entries(API_NAMES).map(([name, apiName]) => [apiName, query.get(name)])
  const result = new URLSearchParams()
  for (const [name, value] of [...filters, ...Object.entries(days)]) {
    if (value) result.set(name!, value)
  }
  return result
}

/** The query of the list. Days are in the store's time zone, and the last one is included. */
export const listQuery = (query: URLSearchParams, timeZone: string): URLSearchParams =>
  apiQuery(query, {
    created_from: dayEdge(query.get('from'), timeZone, 'start'),
    created_to: dayEdge(query.get('to'), timeZone, 'end'),
  })

/** The query of the export with the same filters. */
export const exportQuery = (query: URLSearchParams): URLSearchParams =>
  apiQuery(query, { from: query.get('from'), to: query.get('to') })

/** The start of a day plus this is within the next day, even if a clock change makes the day 23 or 25 hours long. */
const NEXT_DAY_MS = 36 * 3_600_000

/** The start of a day, or of the day after it. Invalid text is passed on for the server to refuse. */
export function dayEdge(
  day: string | null,
  timeZone: string,
  edge: 'start' | 'end',
): string | null {
  const start = day === null ? null : startOfLocalDay(day, timeZone)
  if (start === null) return day
  const at = edge === 'end' ? startOfDay(new Date(start.getTime() + NEXT_DAY_MS), timeZone) : start
  return wireTime(at)
}
