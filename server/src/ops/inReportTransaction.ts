import { limitConcurrency } from '../database/batch.ts'
import type { Database, Tx } from '../database/database.ts'
import { freezeView, limitStatements } from '../sql/locks.ts'

const inTurn = limitConcurrency({ running: 2, waiting: 50 })
const GIVE_UP_MS = 14_000

/**
 * For what may read much of a store's history, as of one moment. Two at a time, so that it never takes the
 * connections that payments need; and the server itself gives it up when nobody waits any more.
 */
export function inReportTransaction<T>(
  database: Database,
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTurn(() =>
    database.transaction(async (tx) => {
      await freezeView(tx)
      await limitStatements(tx, GIVE_UP_MS)
      return read(tx)
    }),
  )
}
