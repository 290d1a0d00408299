import type { StoreId, WalletNumber } from '../core/ids.ts'
import { limitPerKey } from '../core/limitConcurrency.ts'

const MAX_WAITING = 1_000
const MAX_WAIT_MS = 15_000
/** Share of the connections. A read may use several at the same time. */
const MAX_SHARE = 0.25
/** Share of the connections for reads that can take seconds. */
const MAX_SLOW_SHARE = 0.125

/**
 * Runs reads that are not part of a batch, such as lists, searches and figures, a few at a time for each store or wallet. The others
 * wait here instead of for a connection, so that a flood of one leaves the connections to the payments of all. Reads that can take
 * seconds, such as searches and figures of many days, have a queue of their own: quotes and lists don't wait for them.
 */
export function createOwnerReads<Owner extends StoreId | WalletNumber>(poolSize: number) {
  const limitPerOwner = (share: number) =>
    limitPerKey<Owner>({
      running: Math.max(1, Math.floor(poolSize * share)),
      waiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
    })
  const runQuick = limitPerOwner(MAX_SHARE)
  const runSlow = limitPerOwner(MAX_SLOW_SHARE)
  return <T>(
    owner: Owner,
    read: () => Promise<T>,
    { isSlow = false }: { isSlow?: boolean } = {},
  ): Promise<T> => (isSlow ? runSlow : runQuick)(owner, read)
}
