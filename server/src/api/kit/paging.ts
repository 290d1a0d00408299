import { parseTime } from '../../core/calendar.ts'
import { type FieldProblem, queryInteger } from './validation.ts'

const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 100

/** Reads what lists are asked by, and notes down everything that is wrong with it. */
export function pageQuery(query: Record<string, string | undefined>, problems: FieldProblem[]) {
  const wrong = (field: string, message: string) =>
    void problems.push({ field, message: `${field} ${message}` })
  return {
    limit(): number {
      const limit = queryInteger(query.limit, { min: 1, max: MAX_LIMIT, otherwise: DEFAULT_LIMIT })
      if (limit === null) wrong('limit', `must be a whole number from 1 to ${MAX_LIMIT}`)
      return limit ?? DEFAULT_LIMIT
    },
    time(field: string): Date | null {
      const text = query[field]
      const at = text === undefined ? null : parseTime(text)
      if (text !== undefined && at === null) {
        wrong(field, 'must be a time such as 2026-01-31 08:00:00')
      }
      return at
    },
    cursor<Position>(parse: (text: string) => Position | null): Position | null {
      const position = query.cursor === undefined ? null : parse(query.cursor)
      if (query.cursor !== undefined && position === null) {
        wrong('cursor', 'must be the next_cursor of a page')
      }
      return position
    },
  }
}
