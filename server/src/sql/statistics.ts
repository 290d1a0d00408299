import type { Queryable, Tx } from '../database/database.ts'

/** Our tables of more than 1,000 rows that have more than doubled since the last VACUUM or ANALYZE. They may cause bad plans. */
export async function findGrownTables(on: Queryable): Promise<string[]> {
  const rows = await on.query<{ name: string }>(
    `select quote_ident(s.schemaname) || '.' || quote_ident(s.relname) as name
     from pg_stat_user_tables s
     join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema() and pg_has_role(c.relowner, 'usage')
       and s.n_live_tup > 1000 and s.n_live_tup > 2 * greatest(c.reltuples, 0)`,
  )
  return rows.map((row) => row.name)
}

/** Skips a locked table: waiting for an autovacuum would cancel it. */
export async function analyze(tx: Tx, table: string): Promise<void> {
  await tx.execute(`analyze (skip_locked) ${table}`)
}
