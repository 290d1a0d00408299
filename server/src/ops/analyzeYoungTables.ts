import type { Database } from '../database/database.ts'
import { tryLoopLock } from '../store/locks.ts'
import { analyze, findOutgrown } from '../store/statistics.ts'

/**
 * Has the database look at tables that have just grown. Its own look may come a minute late, and until
 * then statements that were planned for empty tables read them from end to end.
 */
export async function analyzeYoungTables(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    if (!(await tryLoopLock(tx, 'analysis'))) return 0
    const tables = await findOutgrown(tx)
    for (const table of tables) await analyze(tx, table)
    return tables.length
  })
}
