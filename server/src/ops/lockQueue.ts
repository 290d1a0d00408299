import type { StoreId } from '../core/ids.ts'
import { limitConcurrency, Overloaded } from '../core/limitConcurrency.ts'
import type { Database, Tx } from '../database/database.ts'
import { isLockTimeout } from '../database/errors.ts'
import { type Actor, type AuditedResult, inAuditedTransaction } from './auditLog.ts'

/** The store or wallet whose lock a transaction takes. */
type Owner = `store ${number}` | `wallet ${number}`

type Queue = {
  readonly run: ReturnType<typeof limitConcurrency>
  length: number
  /** Set once a transaction did not get the lock in time: those that wait now would not get it either. */
  isStuck: boolean
}

const MAX_WAITING = 1_000
const MAX_WAIT_MS = 15_000
/** At most one transaction of each owner waits here. */
const runLimited = limitConcurrency({
  running: 4,
  waiting: Number.POSITIVE_INFINITY,
  maxWaitMs: MAX_WAIT_MS,
})
const queues = new Map<Owner, Queue>()

/**
 * Runs a transaction that takes a lock and is not part of a batch. While it waits for the lock, it holds a connection. So in each
 * process only one runs for each store or wallet, and four in total: a flood of requests of one owner leaves the other
 * connections to all payments.
 */
export async function inLockQueue<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(owner) ?? {
    run: limitConcurrency({ running: 1, waiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS }),
    length: 0,
    isStuck: false,
  }
  queues.set(owner, queue)
  queue.length += 1
  try {
    return await queue.run(async () => {
      if (queue.isStuck) throw new Overloaded()
      try {
        return await runLimited(work)
      } catch (error) {
        if (isLockTimeout(error)) queue.isStuck = true
        throw error
      }
    })
  } finally {
    queue.length -= 1
    if (queue.length === 0) queues.delete(owner)
  }
}

/** An audited transaction that takes the lock of a store. */
export const inStoreTransaction = <Result>(
  database: Database,
  { storeId, actor }: { storeId: StoreId; actor: Actor },
  act: (tx: Tx) => Promise<AuditedResult<Result>>,
): Promise<Result> =>
  inLockQueue(`store ${storeId}`, () => inAuditedTransaction(database, actor, act))
