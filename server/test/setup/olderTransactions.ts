import { type Database, openDatabase } from '../../src/database/database.ts'
import type { TestService } from './testService.ts'

/**
 * Runs the work with connections for which every open transaction seems to be older by this interval, as if its COMMIT had
 * waited for a standby.
 */
export async function withOlderTransactions(
  t: TestService,
  interval: string,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const name = new URL(t.databaseUrl).pathname.slice(1)
  for (const statement of [
    'create schema older',
    `create view older.pg_stat_activity as
     select pid, datname, backend_xid, xact_start - interval '${interval}' as xact_start
     from pg_catalog.pg_stat_activity`,
    `alter database ${name} set search_path = older, pg_catalog, public`,
  ])
    await t.database.query(statement)
  const database = openDatabase({ url: t.databaseUrl, poolSize: 3, poolTimeoutMs: 5_000 })
  try {
    await work(database)
  } finally {
    await database.close()
    await t.database.query(`alter database ${name} reset search_path`)
    await t.database.query('drop schema older cascade')
  }
}
