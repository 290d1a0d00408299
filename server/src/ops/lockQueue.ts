import type { StoreId } from '../core/ids.ts'
import { limitConcurrency, limitPerKey } from '../core/limitConcurrency.ts'
import type { Database, Tx } from '../database/database.ts'
import { isLockTimeout } from '../database/errors.ts'
import { type Actor, type AuditedResult, inAuditedTransaction } from './auditLog.ts'

/** The store or wallet whose lock a transaction takes. */
type Owner = `store ${number}` | `wallet ${number}`

const MAX_WAIT_MS = 15_000
/** A transaction that did not get the lock in time refuses those that wait: they would not get it either. */
const runForOwner = limitPerKey<Owner>({
  running: 1,
  waiting: 1_000,
  maxWaitMs: MAX_WAIT_MS,
  isStuck: isLockTimeout,
})
/** At most one transaction of each owner waits here. */
const runLimited = limitConcurrency({
  running: 4,
  waiting: Number.POSITIVE_INFINITY,
  maxWaitMs: MAX_WAIT_MS,
})

/**
 * Runs a transaction that takes a lock and is not part of a batch. While it waits for the lock, it holds a connection. So each
 * process runs only one for each store or wallet, and four in total: a flood of such requests does not use up the connections
 * that payments need.
 */
export const inLockQueue = <T>(owner: Owner, work: () => Promise<T>): Promise<T> =>
  runForOwner(owner, () => runLimited(work))

/** Runs an audited transaction in which `act` takes the lock of the store. */
export const inStoreTransaction = <Result>(
  database: Database,
  { storeId, actor }: { storeId: StoreId; actor: Actor },
  act: (tx: Tx) => Promise<AuditedResult<Result>>,
): Promise<Result> =>
  inLockQueue(`store ${storeId}`, () => inAuditedTransaction(database, actor, act))
