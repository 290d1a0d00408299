import type { PaymentId, StoreId } from '../core/ids.ts'
import { batch } from '../database/batch.ts'
import { createChannel } from '../database/channel.ts'
import type { Database } from '../database/database.ts'
import { paymentChanges } from './paymentChanges.ts'

/** Gathers the payments of many commits in one NOTIFY. No payment waits for it. */
const NOTIFY_DELAY_MS = 50
const CREATED_DELAY_MS = 1_000

/** How a message names a store that has a new payment. */
const STORE = 'store:'
/** A message has at most 8,000 bytes. */
const MAX_STORES = 500

/**
 * Announces committed changes: to the long polls and open pages of this process, and by NOTIFY to those of
 * the other nodes.
 */
export function changeAnnouncer(database: Database, databaseUrl: string) {
  const changes = paymentChanges(() => channel.isOpen())
  const channel = createChannel({
    url: databaseUrl,
    name: 'florin_payment',
    onMessage: (ids) => {
      for (const id of ids.split(' ')) {
        if (id.startsWith(STORE)) changes.announceStore(Number(id.slice(STORE.length)) as StoreId)
        else changes.announce(id as PaymentId)
      }
    },
    onConnect: changes.wakeAll,
  })
  const notifyOtherNodes = batch<PaymentId, true>(
    async (ids) => {
      await channel.notify(database, ids.join(' '))
      return ids.map(() => true)
    },
    {
      name: 'notices',
      maxItems: 200,
      maxWaiting: 20_000,
      concurrency: 1,
      delayMs: NOTIFY_DELAY_MS,
    },
  )
  const created = new Set<StoreId>()
  function flushCreated(): void {
    const stores = [...created]
    created.clear()
    for (const storeId of stores) changes.announceStore(storeId)
    for (let n = 0; n < stores.length; n += MAX_STORES) {
      const some = stores.slice(n, n + MAX_STORES)
      channel.notify(database, some.map((id) => `${STORE}${id}`).join(' ')).catch(() => {})
    }
  }

  return {
    changes,
    channel,
    /** Call after the commit of a new payment. At most one NOTIFY a second, however many payments are created. */
    announceCreated(storeId: StoreId): void {
      if (created.size === 0) setTimeout(flushCreated, CREATED_DELAY_MS).unref()
      created.add(storeId)
    },
    /** Call after the commit. Never throws: a lost message only delays the other nodes, which also poll. */
    announce(paymentId: PaymentId): void {
      changes.announce(paymentId)
      notifyOtherNodes(paymentId).catch(() => {})
    },
  }
}
