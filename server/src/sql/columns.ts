import type { Queryable } from '../database/database.ts'

/** The values of each field, as arrays for `unnest`. */
export const columns = <Row>(rows: readonly Row[], ...fields: (keyof Row)[]): unknown[][] =>
  fields.map((field) => rows.map((row) => row[field]))

/**
 * An array of keys for `unnest` whose length PostgreSQL doesn't know when it plans. With a known length, it would plan again
 * for every call, because a plan for one key seems cheaper than one for any number. Planning takes longer than reading a row by
 * its key. One such array per `unnest` is enough. Citus must see the arrays themselves.
 */
export const unsized = (on: Queryable, array: string): string =>
  on.isDistributed ? array : `(select ${array})`
