import { isEmptied } from '../core/erasure.ts'
import type { StoreAndMode, StoreId } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { Database, Queryable, Tx } from '../database/database.ts'
import { insertDeliveries, makeDue } from '../sql/deliveries.ts'
import {
  type EventKey,
  type EventPosition,
  findEvents,
  findPaymentEvents,
  listEvents,
  markResent,
  type PaymentEvent,
} from '../sql/events.ts'
import { lock } from '../sql/locks.ts'
import { type Actor, type Entry, recordAuditEntries } from './auditLog.ts'
import { deliveryOf } from './events.ts'
import { inLockQueue } from './lockQueue.ts'

/** Runs a transaction that holds the lock of the store. `at` is the time of the lock. */
const withStoreLocked = <T>(
  database: Database,
  storeId: StoreId,
  work: (tx: Tx, at: Date) => Promise<T>,
): Promise<T> =>
  inLockQueue(`store ${storeId}`, () =>
    database.transaction(async (tx) => work(tx, await lock(tx, { stores: [storeId] }))),
  )

/**
 * Resends the latest event of a payment under the same id. Null if there is none yet. An event without a URL, or
 * without a body, is returned but not sent. The audit log records a resend by a person.
 */
export async function resendLatest(database: Database, key: PaymentKey, by: Actor | null) {
  return withStoreLocked(database, key.storeId, async (tx, at) => {
    const latest = (await findPaymentEvents(tx, key)).at(-1)
    if (latest === undefined) return null
    if (!isSendable(latest)) return latest
    await resend(tx, [latest], at)
    if (by !== null) await recordAuditEntries(tx, [{ by, entry: resendEntry(latest) }], at)
    return { ...latest, resentAt: at }
  })
}

const resendEntry = ({ paymentId, type }: PaymentEvent): Entry => ({
  action: 'webhook.redeliver',
  subject: `payment:${paymentId}`,
  before: null,
  after: { type },
})

const BATCH_SIZE = 500

/** Resends the events of a time window, in steps, except those without a URL or a body. Returns how many. */
export async function resendWindow(
  database: Database,
  window: StoreAndMode & { from: Date; to: Date },
): Promise<number> {
  let after: EventPosition | null = null
  let total = 0
  for (;;) {
    const range = { ...window, by: 'created_at', after, limit: BATCH_SIZE } as const
    const page = await withStoreLocked(database, window.storeId, async (tx, at) => {
      const events = await listEvents(tx, range)
      await resend(tx, events, at)
      return events
    })
    total += page.filter(isSendable).length
    const last = page.at(-1)
    if (last === undefined || page.length < BATCH_SIZE) return total
    after = { at: last.createdAt, paymentId: last.paymentId, sequence: last.sequence }
  }
}

/**
 * Resends these events of a store and mode, except those without a URL. Ignores events of other stores, and only
 * counts those without a body.
 */
export async function resendEvents(
  database: Database,
  { storeId, mode }: StoreAndMode,
  keys: readonly EventKey[],
  by: Actor,
): Promise<{ readonly sent: number; readonly emptied: number }> {
  return withStoreLocked(database, storeId, async (tx, at) => {
    const events = await findWithUrl(tx, { storeId, mode }, keys)
    await resend(tx, events, at)
    const sent = events.filter(isSendable).length
    const entry = {
      action: 'webhook.redeliver',
      subject: `store:${storeId}`,
      before: null,
      after: { mode, events: sent },
    }
    if (sent > 0) await recordAuditEntries(tx, [{ by, entry }], at)
    return { sent, emptied: events.length - sent }
  })
}

/** Counts the events that `resendEvents` would send. */
export async function countSendable(
  database: Database,
  owner: StoreAndMode,
  keys: readonly EventKey[],
): Promise<number> {
  return (await findWithUrl(database, owner, keys)).filter(isSendable).length
}

async function findWithUrl(
  on: Queryable,
  { storeId, mode }: StoreAndMode,
  keys: readonly EventKey[],
): Promise<PaymentEvent[]> {
  const ownKeys = keys.filter((key) => key.storeId === storeId)
  const events = await findEvents(on, ownKeys)
  return events.filter((event) => event.mode === mode && event.url !== null)
}

const isSendable = (event: PaymentEvent) => event.url !== null && !isEmptied(event)

async function resend(tx: Tx, found: readonly PaymentEvent[], at: Date): Promise<void> {
  const events = found.filter(isSendable)
  if (events.length === 0) return
  await markResent(tx, events, at)
  const deliveries = events.flatMap((event) => deliveryOf(event) ?? [])
  const waiting = await makeDue(tx, deliveries, at)
  const known = new Set(waiting.map((key) => `${key.paymentId} ${key.sequence}`))
  const delivered = deliveries.filter(
    ({ paymentId, sequence }) => !known.has(`${paymentId} ${sequence}`),
  )
  await insertDeliveries(tx, delivered, { at, lease: null })
}
