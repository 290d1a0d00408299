import { randomUUID } from 'node:crypto'
import { type EventType, eventTypeOf, sequenceOf } from '../core/webhook.ts'
import type { Tx } from '../database/database.ts'
import { type Delivery, insertDeliveries } from '../sql/deliveries.ts'
import { insertEvents, type PaymentEvent } from '../sql/events.ts'
import { type PaymentChange, receiptMails } from './businessMails.ts'
import type { MailQueue } from './mail.ts'

/** A delivery that only this process may send, until the lease expires. */
export type HeldDelivery = Delivery & { readonly lease: string; readonly heldUntilMs: number }

export const LEASE_SECONDS = 45

/** The functions with which ops publish a change. */
export type Outbox = {
  /** The body of the event. It is stored if the payment has a webhook URL. Only erasure and retention change it later. */
  readonly bodyOf: (change: PaymentChange, type: EventType, at: Date) => string
  /** Chooses the deliveries that this process sends right after the commit. The queue delivers the rest. */
  readonly choose: (deliveries: readonly Delivery[]) => readonly Delivery[]
  readonly mail: MailQueue
  /** Must not throw: the changes are committed and must not be made again. */
  readonly onCommit: (written: WrittenEvents) => void
}

/** The changes and their deliveries: `held` for this process to send, `others` for the queue. */
export type WrittenEvents = {
  readonly changes: readonly PaymentChange[]
  readonly held: readonly HeldDelivery[]
  readonly others: readonly Delivery[]
}

const NOTHING: WrittenEvents = { changes: [], held: [], others: [] }

/**
 * Writes the events and receipts of these changes, in the transaction that makes them. Pass the result to `outbox.onCommit`
 * after the commit.
 */
export async function writeEvents(
  tx: Tx,
  outbox: Outbox,
  changes: readonly PaymentChange[],
  at: Date,
) {
  if (changes.length === 0) return NOTHING
  const events = changes.map((change) => eventOf(outbox, change, at))
  const deliveries = events.flatMap((event) => deliveryOf(event) ?? [])
  // The event of a refund may have to wait for the event before it, so the queue delivers it.
  const heldDeliveries = new Set(
    outbox.choose(deliveries.filter((delivery) => delivery.sequence === 1)),
  )
  const lease = { token: randomUUID(), seconds: LEASE_SECONDS }
  const heldUntilMs = performance.now() + LEASE_SECONDS * 1000
  const others = deliveries.filter((delivery) => !heldDeliveries.has(delivery))
  await Promise.all([
    insertEvents(tx, events),
    insertDeliveries(tx, [...heldDeliveries], { at, lease }),
    insertDeliveries(tx, others, { at, lease: null }),
    outbox.mail.add(tx, receiptMails(changes), at),
  ])
  const held = [...heldDeliveries].map((delivery) => ({
    ...delivery,
    lease: lease.token,
    heldUntilMs,
  }))
  return { changes, held, others }
}

function eventOf(outbox: Outbox, change: PaymentChange, at: Date): PaymentEvent {
  const { storeId, mode, paymentId, status, webhookUrl } = change.payment
  if (status === 'pending') throw new Error(`Payment ${paymentId} is pending and has no event`)
  const type = eventTypeOf(status)
  return {
    storeId,
    mode,
    paymentId,
    sequence: sequenceOf(type),
    type,
    body: webhookUrl === null ? null : outbox.bodyOf(change, type, at),
    url: webhookUrl,
    createdAt: at,
    resentAt: null,
  }
}

/** Null if the payment has no webhook URL. */
export function deliveryOf(event: PaymentEvent): Delivery | null {
  const { storeId, paymentId, sequence, mode, url, body, createdAt } = event
  if (url === null || body === null) return null
  const { host } = new URL(url)
  return { storeId, paymentId, sequence, mode, url, host, body, createdAt, attempts: 0 }
}
