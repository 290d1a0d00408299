import type { PaymentId, StoreId, WalletNumber } from '../core/ids.ts'
import { batch } from '../database/batch.ts'
import { createChannel } from '../database/channel.ts'
import type { Database } from '../database/database.ts'
import { createPaymentChanges } from './paymentChanges.ts'

/** Gathers the payments of many commits in one NOTIFY. No payment waits for it. */
const NOTIFY_DELAY_MS = 50
const CREATED_DELAY_MS = 1_000

/** A changed payment, and the wallet whose money moved. A top-up or withdrawal has no payment. */
type Announcement = {
  readonly paymentId: PaymentId | null
  readonly walletId: WalletNumber | null
}

/** At most 41 bytes: 30 of a payment id, a slash, and the 10 digits of a wallet. */
const format = ({ paymentId, walletId }: Announcement) => `${paymentId ?? ''}/${walletId ?? ''}`

function parse(text: string): Announcement {
  const [paymentId, walletId] = text.split('/')
  return {
    paymentId: paymentId ? (paymentId as PaymentId) : null,
    walletId: walletId ? (Number(walletId) as WalletNumber) : null,
  }
}

/** Marks a store that has a new payment. */
const STORE_PREFIX = 'store:'
/** A message must be shorter than 8,000 bytes. */
const MAX_STORES = 500

/**
 * Announces committed changes: to the long polls and open pages of this process, and by NOTIFY to those of
 * other processes.
 */
export function createChangeAnnouncer(database: Database, databaseUrl: string) {
  const changes = createPaymentChanges(() => channel.isOpen())
  const channel = createChannel({
    url: databaseUrl,
    name: 'florin_payment',
    onMessage: (ids) => {
      for (const id of ids.split(' ')) {
        if (id.startsWith(STORE_PREFIX)) {
          changes.announceStore(Number(id.slice(STORE_PREFIX.length)) as StoreId)
        } else {
          wake(parse(id))
        }
      }
    },
    onConnect: changes.wakeAll,
  })
  const notifyOtherNodes = batch<Announcement, true>(
    async (announcements) => {
      await channel.notify(database, announcements.map(format).join(' '))
      return announcements.map(() => true)
    },
    {
      // A message must be shorter than 8,000 bytes.
      maxItems: 180,
      maxWaiting: 20_000,
      concurrency: 1,
      delayMs: NOTIFY_DELAY_MS,
    },
  )
  function wake({ paymentId, walletId }: Announcement): void {
    if (paymentId !== null) changes.announce(paymentId)
    if (walletId !== null) changes.announceWallet(walletId)
  }
  const created = new Set<StoreId>()
  function flushCreated(): void {
    const stores = [...created]
    created.clear()
    for (const storeId of stores) changes.announceStore(storeId)
    for (let from = 0; from < stores.length; from += MAX_STORES) {
      const ids = stores.slice(from, from + MAX_STORES).map((id) => `${STORE_PREFIX}${id}`)
      channel.notify(database, ids.join(' ')).catch(() => {})
    }
  }

  return {
    changes,
    channel,
    /** Call after the commit of a new payment. Gathers stores for a second, so that many payments share a NOTIFY. */
    announceCreated(storeId: StoreId): void {
      if (created.size === 0) setTimeout(flushCreated, CREATED_DELAY_MS).unref()
      created.add(storeId)
    },
    /** Call after the commit. Never throws: a lost message only delays the other nodes, which also poll. */
    announce(announcement: Announcement): void {
      wake(announcement)
      notifyOtherNodes(announcement).catch(() => {})
    },
  }
}
