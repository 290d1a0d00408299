import type { Database } from '../database/database.ts'
import { tryLoopLock } from '../sql/locks.ts'
import { analyze, findOutgrown } from '../sql/statistics.ts'

const ANALYZE_MS = 600_000

/**
 * Has the database look at tables that have just grown. Its own look may come a minute late, and until
 * then statements that were planned for empty tables read them from end to end.
 */
export async function analyzeYoungTables(database: Database): Promise<number> {
  const tables = await findOutgrown(database)
  for (const table of tables) {
    await database.transaction(
      async (tx) => {
        if (await tryLoopLock(tx, 'analysis')) await analyze(tx, table)
      },
      { statementTimeoutMs: ANALYZE_MS },
    )
  }
  return tables.length
}
