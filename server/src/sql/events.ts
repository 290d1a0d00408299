import type { Mode, PaymentId, StoreAndMode, StoreId } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { EventType } from '../core/webhook.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'
import { shardFilter } from './shards.ts'

export type EventKey = {
  readonly storeId: StoreId
  readonly paymentId: PaymentId
  readonly sequence: number
}

export type PaymentEvent = EventKey & {
  readonly mode: Mode
  readonly type: EventType
  /** Null without a URL: made from the payment when it is read. */
  readonly body: string | null
  readonly url: string | null
  readonly createdAt: Date
  readonly resentAt: Date | null
}

/** The start of an `unnest` of event keys, whose arrays `eventKeyArrays` returns. */
export const EVENT_KEYS = 'unnest($1::int[], $2::text[], $3::int[]'
export const eventKeyArrays = (keys: readonly EventKey[]): unknown[][] =>
  columns(keys, 'storeId', 'paymentId', 'sequence')

const COLUMNS = `
  e.store_id as "storeId", e.payment_id as "paymentId", e.sequence, e.mode, e.type, e.body, e.url,
  e.created_at as "createdAt", e.resent_at as "resentAt"`

export async function insertEvents(tx: Tx, events: readonly PaymentEvent[]): Promise<void> {
  const inserted = await tx.execute(
    `insert into event (store_id, payment_id, sequence, mode, type, body, url, created_at)
     select v.store_id, v.payment_id, v.sequence, v.mode, v.type, v.body, v.url, v.created_at
     from ${EVENT_KEYS}, $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
       as v (store_id, payment_id, sequence, mode, type, body, url, created_at)`,
    [...eventKeyArrays(events), ...columns(events, 'mode', 'type', 'body', 'url', 'createdAt')],
  )
  mustMatch(inserted, events.length, 'insert events')
}

/** The events of one payment, in order. */
export async function findPaymentEvents(
  on: Queryable,
  { storeId, mode, paymentId }: PaymentKey,
): Promise<PaymentEvent[]> {
  return on.query<PaymentEvent>(
    `select ${COLUMNS}
     from event e
     where e.store_id = $1 and e.payment_id = $2 and e.mode = $3
     order by e.sequence`,
    [storeId, paymentId, mode],
  )
}

export type EventPosition = {
  readonly at: Date
  readonly paymentId: string
  readonly sequence: number
}

/** A store's events after a position, ordered by creation or by resend. The latter excludes events that were never resent. */
export async function listEvents(
  on: Queryable,
  filter: StoreAndMode & {
    by: 'created_at' | 'resent_at'
    from: Date
    to: Date | null
    after: EventPosition | null
    limit: number
  },
): Promise<PaymentEvent[]> {
  const { by, after } = filter
  return on.query<PaymentEvent>(
    `select ${COLUMNS}
     from event e
     where e.store_id = $1 and e.mode = $2 and e.${by} >= $3
       and ($4::timestamptz is null or e.${by} < $4)
       and ($5::timestamptz is null or (e.${by}, e.payment_id, e.sequence) > ($5, $6::text, $7::int))
     order by e.${by}, e.payment_id, e.sequence
     limit $8`,
    [
      filter.storeId,
      filter.mode,
      filter.from,
      filter.to,
      after?.at ?? null,
      after?.paymentId ?? null,
      after?.sequence ?? null,
      filter.limit,
    ],
  )
}

export async function markResent(tx: Tx, keys: readonly EventKey[], at: Date): Promise<void> {
  await tx.execute(
    `update event e
     set resent_at = $4
     from ${EVENT_KEYS}) as v (store_id, payment_id, sequence)
     where e.store_id = v.store_id and e.payment_id = v.payment_id and e.sequence = v.sequence
       ${shardFilter(tx, 'e.store_id')}`,
    [...eventKeyArrays(keys), at],
  )
}

export async function findEvents(on: Queryable, keys: readonly EventKey[]) {
  return on.query<PaymentEvent>(
    `select ${COLUMNS}
     from ${EVENT_KEYS}) as v (store_id, payment_id, sequence)
     join event e
       on e.store_id = v.store_id and e.payment_id = v.payment_id and e.sequence = v.sequence
       ${shardFilter(on, 'e.store_id')}`,
    eventKeyArrays(keys),
  )
}
