import type { DaysQuery } from '@florin/contract/books.js'
import { lastDays, localDay, startOfLocalDay, type TimeRange } from '../../core/calendar.ts'
import type { Store } from '../../core/store.ts'
import { findToday } from '../../ops/books.ts'
import type { Service } from '../../service.ts'
import { type FieldProblem, problemOf } from './http/validation.ts'

type Days = Required<DaysQuery>

/**
 * The days that a query names, in the store's time zone. They default to the store's first day and today. Adds a
 * problem for each invalid field.
 */
export async function daysOf(
  service: Service,
  { timeZone, createdAt }: Store,
  query: DaysQuery,
  problems: FieldProblem[],
): Promise<Days> {
  const days = {
    from: query.from ?? localDay(createdAt, timeZone),
    to: query.to ?? (await findToday(service.database, timeZone)),
  }
  for (const field of ['from', 'to'] as const) {
    if (startOfLocalDay(days[field], timeZone) !== null) continue
    problems.push(problemOf(field, 'must be a day such as 2026-01-31'))
  }
  if (problems.length === 0 && query.from && query.to && days.from > days.to) {
    problems.push(problemOf('to', 'must not be before from'))
  }
  return days
}

/** From the start of the first day to the end of the last. */
export const periodOf = ({ from, to }: Days, timeZone: string): TimeRange => ({
  from: startOfLocalDay(from, timeZone)!,
  to: lastDays(startOfLocalDay(to, timeZone)!, timeZone, 1)[0]!.to,
})
