import type { Queryable, Tx } from '../database/database.ts'

/** Tables of ours that have grown so much since they were last looked at that plans may be wrong. */
export async function findOutgrown(on: Queryable): Promise<string[]> {
  const rows = await on.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(relname) as name
     from pg_stat_user_tables
     where schemaname = current_schema()
       and n_mod_since_analyze > 1000 and n_mod_since_analyze * 2 > n_live_tup`,
  )
  return rows.map((row) => row.name)
}

export async function analyze(tx: Tx, table: string): Promise<void> {
  await tx.execute(`analyze ${table}`)
}
