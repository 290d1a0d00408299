import type { Queryable } from '../database/database.ts'

/**
 * A join condition that lets Citus skip the shards without matching rows. A single PostgreSQL would read whole stores
 * instead of a few rows because of it, so there it is only a comment.
 */
export function shardFilter(on: Queryable, column: string, parameter = '$1'): string {
  return on.isDistributed
    ? `and ${shardCondition(column, parameter)}`
    : `/* distributed: and ${column} = any(${parameter}) */`
}

/**
 * Repeats the condition for the first value. Citus still skips shards. The PostgreSQL of a worker can't use the condition for an
 * index scan or a hash join over whole stores, so it finds the rows by their primary keys.
 */
export function shardCondition(column: string, parameter: string): string {
  return `(${column} = any(${parameter}) or ${column} = (${parameter}::int[])[1])`
}
