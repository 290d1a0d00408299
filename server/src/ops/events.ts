import { randomUUID } from 'node:crypto'
import type { Payment } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import { type EventType, eventTypeOf, sequenceOf } from '../core/webhook.ts'
import type { Tx } from '../database/database.ts'
import { type Delivery, insertDeliveries } from '../sql/deliveries.ts'
import { insertEvents, type PaymentEvent } from '../sql/events.ts'
import type { Wallet } from '../sql/wallets.ts'

/** A payment as an op has just changed it. */
export type Change = {
  readonly payment: Payment
  readonly payer: Wallet | null
  readonly store: Store
}

/** A delivery that this process alone may send, until the lease runs out. */
export type Held = Delivery & { readonly lease: string; readonly heldUntilMs: number }

export const LEASE_SECONDS = 45

/** What ops need to tell the world of a change: its frozen words, and somebody who sends them. */
export type Outbox = {
  readonly body: (change: Change, type: EventType, at: Date) => string
  /** Which of them this process can send right after the commit; the rest is for who looks next. */
  readonly choose: (deliveries: readonly Delivery[]) => readonly Delivery[]
  /** Must not throw: what it is told of is committed and must not be done again. */
  readonly committed: (written: Written) => void
}

/** What was written: the changes, and deliveries, some for this process to send, some for others. */
export type Written = {
  readonly changes: readonly Change[]
  readonly held: readonly Held[]
  readonly others: readonly Delivery[]
}

const NOTHING: Written = { changes: [], held: [], others: [] }

/**
 * Writes the events of these changes, in the transaction that makes them. What comes back is to be
 * handed to `outbox.committed` when the transaction is.
 */
export async function writeEvents(
  tx: Tx,
  outbox: Outbox,
  changes: readonly Change[],
  at: Date,
): Promise<Written> {
  if (changes.length === 0) return NOTHING
  const events = changes.map((change) => eventOf(outbox, change, at))
  const deliveries = events.flatMap((event) => deliveryOf(event) ?? [])
  // A refund's event may have to wait for the one before it, which only a look at the queue tells.
  const own = new Set(outbox.choose(deliveries.filter((delivery) => delivery.sequence === 1)))
  const lease = { token: randomUUID(), seconds: LEASE_SECONDS }
  const heldUntilMs = performance.now() + LEASE_SECONDS * 1000
  const others = deliveries.filter((delivery) => !own.has(delivery))
  await Promise.all([
    insertEvents(tx, events),
    insertDeliveries(tx, [...own], { at, lease }),
    insertDeliveries(tx, others, { at, lease: null }),
  ])
  const held = [...own].map((delivery) => ({ ...delivery, lease: lease.token, heldUntilMs }))
  return { changes, held, others }
}

function eventOf(outbox: Outbox, change: Change, at: Date): PaymentEvent {
  const { storeId, mode, paymentId, status, webhookUrl } = change.payment
  if (status === 'pending') throw new Error(`Payment ${paymentId} is pending, which is no event`)
  const type = eventTypeOf(status)
  return {
    storeId,
    mode,
    paymentId,
    sequence: sequenceOf(type),
    type,
    body: outbox.body(change, type, at),
    url: webhookUrl,
    createdAt: at,
    resentAt: null,
  }
}

/** Null where nobody asked to be told. */
export function deliveryOf(event: PaymentEvent): Delivery | null {
  if (event.url === null) return null
  const { storeId, paymentId, sequence, mode, url, body, createdAt } = event
  const { host } = new URL(url)
  return { storeId, paymentId, sequence, mode, url, host, body, createdAt, attempts: 0 }
}
