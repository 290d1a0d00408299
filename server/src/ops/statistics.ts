import type { Database } from '../database/database.ts'
import { tryLoopLock } from '../sql/locks.ts'
import { analyze, findGrownTables } from '../sql/statistics.ts'

const ANALYZE_TIMEOUT_MS = 600_000

/**
 * Runs ANALYZE on tables that have grown a lot. Autovacuum may be a minute late, and until then plans that were
 * made for empty tables read whole tables.
 */
export async function analyzeGrownTables(database: Database): Promise<number> {
  const tables = await findGrownTables(database)
  for (const table of tables) {
    await database.transaction(
      async (tx) => {
        if (await tryLoopLock(tx, 'analysis')) await analyze(tx, table)
      },
      { statementTimeoutMs: ANALYZE_TIMEOUT_MS },
    )
  }
  return tables.length
}
