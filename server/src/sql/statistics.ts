import type { Queryable, Tx } from '../database/database.ts'

/** Tables of ours that have more than doubled since they were last looked at: plans may be wrong. */
export async function findOutgrown(on: Queryable): Promise<string[]> {
  const rows = await on.query<{ name: string }>(
    `select quote_ident(s.schemaname) || '.' || quote_ident(s.relname) as name
     from pg_stat_user_tables s
     join pg_class c on c.oid = s.relid
     where s.schemaname = current_schema() and pg_has_role(c.relowner, 'usage')
       and s.n_live_tup > 1000 and s.n_live_tup > 2 * greatest(c.reltuples, 0)`,
  )
  return rows.map((row) => row.name)
}

/** Not while a vacuum is at it, which would give way to us. */
export async function analyze(tx: Tx, table: string): Promise<void> {
  await tx.execute(`analyze (skip_locked) ${table}`)
}
