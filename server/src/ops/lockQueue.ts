import { limitConcurrency } from '../core/limitConcurrency.ts'

/** The store or wallet whose lock a transaction takes. */
type Owner = `store ${number}` | `wallet ${number}`

const MAX_WAITING = 1_000
/** At most one transaction of each owner waits here. */
const runLimited = limitConcurrency({ running: 2, waiting: Number.POSITIVE_INFINITY })
const queues = new Map<
  Owner,
  { readonly run: ReturnType<typeof limitConcurrency>; length: number }
>()

/**
 * Runs a transaction that takes a lock and is not part of a batch. While it waits for the lock, it holds a connection. So in each
 * process only one runs for each store or wallet, and two in total: a flood of requests of one owner leaves the other
 * connections to all payments.
 */
export async function inLockQueue<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(owner) ?? {
    run: limitConcurrency({ running: 1, waiting: MAX_WAITING }),
    length: 0,
  }
  queues.set(owner, queue)
  queue.length += 1
  try {
    return await queue.run(() => runLimited(work))
  } finally {
    queue.length -= 1
    if (queue.length === 0) queues.delete(owner)
  }
}
