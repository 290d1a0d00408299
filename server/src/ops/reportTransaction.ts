import { limitConcurrency, limitPerKey } from '../core/limitConcurrency.ts'
import type { Database, Tx } from '../database/database.ts'
import { WorkerUnavailable } from '../database/errors.ts'
import { findCompleteUntil, setStatementTimeout, useSnapshot } from '../sql/locks.ts'

const runLimited = limitConcurrency({ running: 2, waiting: 50 })
/**
 * Only one report of an owner runs or waits for a slot, so that the reports of others don't wait for all of its reports. One that
 * waited too long for those of its owner is refused.
 */
const limitPerOwner = limitPerKey<Owner>({ running: 1, waiting: 9, maxWaitMs: 15_000 })
const TIMEOUT_MS = 14_000

/**
 * Whose report it is. The reports of operators have three owners, by what they read: the stored totals, the payments after them,
 * and the counts of active stores and wallets, which take long.
 */
type Owner = `store ${number}` | `wallet ${number}` | `operators ${'totals' | 'latest' | 'counts'}`

/**
 * Reads from one snapshot, for reports over much of the history. At most two run at a time in a process, of different owners, so
 * that payments keep their connections. PostgreSQL cancels a statement that exceeds the timeout.
 */
export function inReportTransaction<T>(
  database: Database,
  owner: Owner,
  read: (tx: Tx) => Promise<T>,
) {
  return limitPerOwner(owner, () =>
    runLimited(() =>
      database.transaction(async (tx) => {
        await useSnapshot(tx)
        await setStatementTimeout(tx, TIMEOUT_MS)
        return read(tx)
      }),
    ),
  )
}

/**
 * The time of a change is at most this much earlier than the first write or the PREPARE of its transaction. PostgreSQL ends a
 * transaction that is idle for a minute.
 */
export const MAX_WRITE_DELAY_MS = 120_000

/**
 * Later reads see every change before this time. It can be hours ago, because a COMMIT that waits for a standby can
 * take hours. Returns 1970 while a worker of a cluster can't be reached, because it is unknown what commits there.
 */
export async function findSettledUntil(database: Database): Promise<Date> {
  try {
    const completeUntil = await database.transaction(findCompleteUntil)
    return new Date(completeUntil.getTime() - MAX_WRITE_DELAY_MS)
  } catch (error) {
    if (error instanceof WorkerUnavailable) return new Date(0)
    throw error
  }
}
