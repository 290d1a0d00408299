import { parseTime } from '../../core/calendar.ts'
import { type FieldProblem, problemOf } from './http/validation.ts'

const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 100

/** The query of a list, as the schema types it. */
type ListQuery = { readonly [field: string]: string | number | null | undefined }

/** Parses the fields that the schema of a list can't validate, and adds a problem for each invalid one. */
export function pageQuery(query: ListQuery, problems: FieldProblem[] = []) {
  function parse<Value>(field: string, parser: (text: string) => Value | null, expected: string) {
    const text = query[field] ?? null
    // The schema has already reported a field that is not text.
    if (typeof text !== 'string') return null
    const value = parser(text)
    if (value === null) problems.push(problemOf(field, `must be ${expected}`))
    return value
  }
  return {
    problems,
    limit: typeof query.limit === 'number' ? query.limit : DEFAULT_LIMIT,
    time: (field: string): Date | null =>
      parse(field, parseTime, 'a time such as 2026-01-31 08:00:00'),
    cursor: <Position>(parser: (text: string) => Position | null): Position | null =>
      parse('cursor', parser, 'the next_cursor of a page'),
  }
}

/** One page of `rows`, which were read with one row more than `limit`. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { readonly items: readonly Row[]; readonly nextCursor: string | null } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const hasMore = last !== undefined && rows.length > limit
  return { items, nextCursor: hasMore ? cursorOf(last) : null }
}

/** Parses the cursor of a list that is ordered by ids with this prefix, such as `tok_`. */
export const parseIdCursor =
  (prefix: `${string}_`) =>
  (cursor: string): string | null =>
    cursor.startsWith(prefix) && /^[0-9a-z]{26}$/.test(cursor.slice(prefix.length)) ? cursor : null

/** Parses the cursor of a log, whose entries are numbered. */
export const parseEntryCursor = (cursor: string): bigint | null =>
  /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : null

/** The largest `integer` of PostgreSQL, and the largest number of a wallet. */
const MAX_NUMBER = 2 ** 31 - 1

/** Parses the cursor of a list that is ordered by the number of a store or wallet. */
export function parseNumberCursor(cursor: string): number | null {
  const number = /^\d{1,10}$/.test(cursor) ? Number(cursor) : Number.NaN
  return number <= MAX_NUMBER ? number : null
}
