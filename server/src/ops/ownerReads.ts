import type { StoreId, WalletNumber } from '../core/ids.ts'
import { limitPerKey } from '../core/limitConcurrency.ts'
import type { Database } from '../database/database.ts'
import type { Outbox } from './events.ts'
import { type PageRequest, readPaymentPage } from './readPayments.ts'
import { type SearchRequest, searchPaymentPage } from './searchPayments.ts'

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

/**
 * Runs reads of downloads that have begun, one at a time for each store. None is refused, because that would end the file early.
 * Each open download has at most one read in the queue.
 */
export function createDownloadReads(): ReadOfStore {
  const runInOrder = limitPerKey<StoreId>({ running: 1, waiting: Number.POSITIVE_INFINITY })
  return (storeId, read) => runInOrder(storeId, read)
}

type ReadOfStore = ReturnType<typeof createOwnerReads<StoreId>>

/** Reads of a store with the given limits. */
export const createStoreReads = (
  { database, outbox }: { readonly database: Database; readonly outbox: Outbox },
  readOfStore: ReadOfStore,
) => ({
  readOfStore,
  readPaymentPage: (request: PageRequest) =>
    readOfStore(request.range.storeId, () => readPaymentPage(database, outbox, request), {
      isSlow: request.filter.payer !== null,
    }),
  searchPaymentPage: (request: SearchRequest) =>
    readOfStore(request.range.storeId, () => searchPaymentPage(database, outbox, request), {
      isSlow: true,
    }),
})
