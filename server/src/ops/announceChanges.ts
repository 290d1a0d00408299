import type { PaymentId } from '../core/ids.ts'
import { batch } from '../database/batch.ts'
import { createChannel } from '../database/channel.ts'
import type { Database } from '../database/database.ts'
import { paymentChanges } from './paymentChanges.ts'

/** Gathers the payments of many commits in one NOTIFY. No payment waits for it. */
const NOTIFY_DELAY_MS = 50

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
      for (const id of ids.split(' ')) changes.announce(id as PaymentId)
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
  return {
    changes,
    channel,
    /** Call after the commit. Never throws: a lost message only delays the other nodes, which also poll. */
    announce(paymentId: PaymentId): void {
      changes.announce(paymentId)
      notifyOtherNodes(paymentId).catch(() => {})
    },
  }
}
