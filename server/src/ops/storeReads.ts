import type { StoreId } from '../core/ids.ts'
import { limitConcurrency } from '../core/limitConcurrency.ts'

const MAX_WAITING = 1_000
const MAX_WAIT_MS = 15_000
/** Share of the connections. A read may use several at the same time. */
const MAX_SHARE = 0.25

type Queue = { readonly run: ReturnType<typeof limitConcurrency>; length: number }

/**
 * Runs reads that are not part of a batch, such as lists, searches and figures, a few at a time for each store. The others wait here
 * instead of for a connection, so that a flood of one store leaves the connections to the payments of all.
 */
export function createStoreReads(poolSize: number) {
  const running = Math.max(1, Math.floor(poolSize * MAX_SHARE))
  const queues = new Map<StoreId, Queue>()
  return async <T>(storeId: StoreId, read: () => Promise<T>): Promise<T> => {
    const queue = queues.get(storeId) ?? {
      run: limitConcurrency({ running, waiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS }),
      length: 0,
    }
    queues.set(storeId, queue)
    queue.length += 1
    try {
      return await queue.run(read)
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(storeId)
    }
  }
}
