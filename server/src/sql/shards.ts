import type { Queryable } from '../database/database.ts'

/**
 * One more condition for a join, where the rows are spread over several machines: it names the shards that
 * have something, so that the others are not asked. One PostgreSQL would read whole stores for it instead of a
 * few rows; there it stands as a remark.
 */
export function among(on: Queryable, column: string, parameter = '$1'): string {
  const condition = `${column} = any(${parameter})`
  return on.isDistributed ? `and ${condition}` : `/* spread: and ${condition} */`
}
