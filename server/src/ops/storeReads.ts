import type { StoreId } from '../core/ids.ts'
import { limitConcurrency } from '../core/limitConcurrency.ts'

const MAX_WAITING = 1_000
const MAX_WAIT_MS = 15_000
/** Share of the connections. A read may use several at the same time. */
const MAX_SHARE = 0.25
/** Share of the connections for reads that can take seconds. */
const MAX_SLOW_SHARE = 0.125

type Queue = { readonly run: ReturnType<typeof limitConcurrency>; length: number }

/**
 * Runs reads that are not part of a batch, such as lists, searches and figures, a few at a time for each store. The others wait here
 * instead of for a connection, so that a flood of one store leaves the connections to the payments of all. Reads that can take
 * seconds, such as searches and figures of many days, have a queue of their own: quotes and lists don't wait for them.
 */
export function createStoreReads(poolSize: number) {
  const queues = new Map<string, Queue>()
  return async <T>(
    storeId: StoreId,
    read: () => Promise<T>,
    { isSlow = false }: { isSlow?: boolean } = {},
  ): Promise<T> => {
    const name = `${isSlow ? 'slow' : 'quick'} ${storeId}`
    const running = Math.max(1, Math.floor(poolSize * (isSlow ? MAX_SLOW_SHARE : MAX_SHARE)))
    const queue = queues.get(name) ?? {
      run: limitConcurrency({ running, waiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS }),
      length: 0,
    }
    queues.set(name, queue)
    queue.length += 1
    try {
      return await queue.run(read)
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(name)
    }
  }
}
