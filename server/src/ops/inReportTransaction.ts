import { limitConcurrency } from '../database/batch.ts'
import type { Database, Tx } from '../database/database.ts'
import { freezeView, limitStatements } from '../sql/locks.ts'

const limit = limitConcurrency({ running: 2, waiting: 50 })
const STATEMENT_TIMEOUT_MS = 14_000

/**
 * Runs a read that may cover much of a store's history, on one snapshot. Only two run at a time, so that
 * payments always get a connection. The server cancels statements that exceed the request timeout.
 */
export function inReportTransaction<T>(
  database: Database,
  read: (tx: Tx) => Promise<T>,
): Promise<T> {
  return limit(() =>
    database.transaction(async (tx) => {
      await freezeView(tx)
      await limitStatements(tx, STATEMENT_TIMEOUT_MS)
      return read(tx)
    }),
  )
}
