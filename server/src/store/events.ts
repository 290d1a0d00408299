import type { Mode, PaymentId, StoreId } from '../core/ids.ts'
import type { EventType } from '../core/webhook.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'

export type EventKey = {
  readonly storeId: StoreId
  readonly paymentId: PaymentId
  readonly sequence: number
}

export type PaymentEvent = EventKey & {
  readonly mode: Mode
  readonly type: EventType
  readonly body: string
  readonly url: string | null
  readonly createdAt: Date
  readonly resentAt: Date | null
}

const KEYS = 'unnest($1::int[], $2::text[], $3::int[]'
export const eventKeyArrays = (keys: readonly EventKey[]): unknown[][] => [
  keys.map((k) => k.storeId),
  keys.map((k) => k.paymentId),
  keys.map((k) => k.sequence),
]

const COLUMNS = `
  e.store_id as "storeId", e.payment_id as "paymentId", e.sequence, e.mode, e.type, e.body, e.url,
  e.created_at as "createdAt", e.resent_at as "resentAt"`

export async function insertEvents(tx: Tx, events: readonly PaymentEvent[]): Promise<void> {
  const inserted = await tx.execute(
    `insert into event (store_id, payment_id, sequence, mode, type, body, url, created_at)
     select v.store_id, v.payment_id, v.sequence, v.mode, v.type, v.body, v.url, v.created_at
     from ${KEYS}, $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
       as v (store_id, payment_id, sequence, mode, type, body, url, created_at)`,
    [
      ...eventKeyArrays(events),
      events.map((e) => e.mode),
      events.map((e) => e.type),
      events.map((e) => e.body),
      events.map((e) => e.url),
      events.map((e) => e.createdAt.toISOString()),
    ],
  )
  mustMatch(inserted, events.length, 'insert events')
}

/** The events of one payment, in order. */
export async function findPaymentEvents(
  on: Queryable,
  { storeId, mode, paymentId }: { storeId: StoreId; mode: Mode; paymentId: PaymentId },
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

/**
 * A store's events in order of time, from a position on. By when they were last asked for again
 * instead, only those that were.
 */
export async function listEvents(
  on: Queryable,
  filter: {
    storeId: StoreId
    mode: Mode
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
     from ${KEYS}) as v (store_id, payment_id, sequence)
     where e.store_id = v.store_id and e.payment_id = v.payment_id and e.sequence = v.sequence`,
    [...eventKeyArrays(keys), at],
  )
}

/** How far the delivery of an event is. Waiting is also what has failed and will be tried again. */
export const EVENT_STATES = ['delivered', 'waiting', 'failing', 'exhausted', 'not_wanted'] as const
export type EventState = (typeof EVENT_STATES)[number]

/** An event with how far its delivery is, and what the last call came to. */
export type LoggedEvent = Omit<PaymentEvent, 'body'> & {
  readonly state: EventState
  readonly nextAttemptAt: Date | null
  readonly attempts: number
  readonly lastAt: Date | null
  readonly lastStatusCode: number | null
  readonly lastError: string | null
}

const STATE = `
  case
    when e.url is null then 'not_wanted'
    when d.store_id is null then 'delivered'
    when d.due_at is null then 'exhausted'
    when d.attempts > 0 then 'failing'
    else 'waiting'
  end`

/**
 * A store's events, newest first, from a position on. What is not delivered is looked for among the
 * deliveries, of which there are few, and not in the whole log.
 */
export async function listLoggedEvents(
  on: Queryable,
  filter: {
    storeId: StoreId
    mode: Mode
    state: EventState | null
    type: EventType | null
    paymentId: PaymentId | null
    from: Date
    before: EventPosition
    limit: number
  },
): Promise<LoggedEvent[]> {
  const { state, type, paymentId, before } = filter
  const isUndelivered = state === 'waiting' || state === 'failing' || state === 'exhausted'
  const values: unknown[] = [
    ...[filter.storeId, filter.mode, filter.from, before.at, before.paymentId, before.sequence],
  ]
  const param = (value: unknown) => `$${values.push(value)}`
  const where = [
    'e.store_id = $1 and e.mode = $2 and e.created_at >= $3',
    '(e.created_at, e.payment_id, e.sequence) < ($4, $5::text, $6::int)',
  ]
  if (state !== null) where.push(`${STATE} = ${param(state)}`)
  if (type !== null) where.push(`e.type = ${param(type)}`)
  if (paymentId !== null) where.push(`e.payment_id = ${param(paymentId)}`)
  return on.query<LoggedEvent>(
    `select e.store_id as "storeId", e.payment_id as "paymentId", e.sequence, e.mode, e.type, e.url,
       e.created_at as "createdAt", e.resent_at as "resentAt", ${STATE} as state,
       d.due_at as "nextAttemptAt", coalesce(a.number, 0) as attempts, a.at as "lastAt",
       a.status_code as "lastStatusCode", a.error as "lastError"
     from event e
     ${isUndelivered ? 'join' : 'left join'} delivery d
       on d.store_id = e.store_id and d.payment_id = e.payment_id and d.sequence = e.sequence
     left join lateral (
       select number, at, status_code, error
       from delivery_attempt
       where store_id = e.store_id and payment_id = e.payment_id and sequence = e.sequence
       order by at desc
       limit 1
     ) a on true
     where ${where.join(' and ')}
     order by e.created_at desc, e.payment_id desc, e.sequence desc
     limit ${param(filter.limit)}`,
    values,
  )
}

export async function findEvents(
  on: Queryable,
  keys: readonly EventKey[],
): Promise<PaymentEvent[]> {
  return on.query<PaymentEvent>(
    `select ${COLUMNS}
     from ${KEYS}) as v (store_id, payment_id, sequence)
     join event e
       on e.store_id = v.store_id and e.payment_id = v.payment_id and e.sequence = v.sequence`,
    eventKeyArrays(keys),
  )
}

/** How many payments came to each outcome since then, and what their payers paid. */
export async function sumOutcomes(
  on: Queryable,
  { storeId, mode, since }: { storeId: StoreId; mode: Mode; since: Date },
): Promise<{ type: string; count: number; gross: bigint }[]> {
  return on.query(
    `select e.type, count(*)::int as count, sum(p.gross)::bigint as gross
     from event e
     join payment p
       on p.store_id = e.store_id and p.mode = e.mode and p.payment_id = e.payment_id
     where e.store_id = $1 and e.mode = $2 and e.created_at >= $3
     group by e.type`,
    [storeId, mode, since],
  )
}
