import type { Queryable } from '../database/database.ts'

/**
 * A join condition that lets Citus skip the shards without matching rows. A single PostgreSQL would read whole
 * stores instead of a few rows because of it, so there it is only a comment.
 */
export function among(on: Queryable, column: string, parameter = '$1'): string {
  const condition = `${column} = any(${parameter})`
  return on.isDistributed ? `and ${condition}` : `/* spread: and ${condition} */`
}
