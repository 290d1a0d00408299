import type { Mode, PaymentId, StoreId } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'
import { type EventKey, eventKeyArrays, EVENT_KEYS as KEYS } from './events.ts'
import { shardFilter } from './shards.ts'

/** A webhook event to be sent. */
export type Delivery = EventKey & {
  readonly mode: Mode
  readonly url: string
  readonly host: string
  readonly attempts: number
  readonly body: string
  readonly createdAt: Date
}

type Lease = { readonly token: string; readonly seconds: number }

const BY_KEY = 'd.store_id = v.store_id and d.payment_id = v.payment_id and d.sequence = v.sequence'

/** With a lease, the process that inserts the deliveries sends them itself, right after its commit. */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly Delivery[],
  { at, lease }: { at: Date; lease: Lease | null },
): Promise<void> {
  if (deliveries.length === 0) return
  const inserted = await tx.execute(
    `insert into delivery (
       store_id, payment_id, sequence, mode, url, host, created_at, due_at, lease, leased_until)
     select v.store_id, v.payment_id, v.sequence, v.mode, v.url, v.host, v.created_at, $8::timestamptz, $9,
       case when $9::uuid is null then '-infinity' else $8::timestamptz + $10::int * interval '1 second' end
     from ${KEYS}, $4::text[], $5::text[], $6::text[], $7::timestamptz[])
       as v (store_id, payment_id, sequence, mode, url, host, created_at)`,
    [
      ...eventKeyArrays(deliveries),
      ...columns(deliveries, 'mode', 'url', 'host', 'createdAt'),
      at,
      lease?.token ?? null,
      lease?.seconds ?? 0,
    ],
  )
  mustMatch(inserted, deliveries.length, 'insert deliveries')
}

export type Candidate = EventKey & { readonly host: string }

/**
 * No process holds the delivery. A lease that ends more than two lease periods in the future was taken before the clock was set
 * back. Two, so that a small correction of the clock revokes no lease.
 */
const isFree = (leaseSeconds: string) =>
  `(d.leased_until < now() or d.leased_until > now() + 2 * ${leaseSeconds}::int * interval '1 second')`

/**
 * Due deliveries of one mode without a lease, longest due first. Busy hosts and stores are excluded, because ten thousand
 * events of one failing receiver, or of one store with many of them, would fill every result. A later event of a payment waits
 * until the one before it has been attempted.
 */
export async function findDue(
  tx: Tx,
  {
    mode,
    busyHosts,
    busyStores,
    limit,
    leaseSeconds,
  }: {
    mode: Mode
    busyHosts: readonly string[]
    busyStores: readonly StoreId[]
    limit: number
    leaseSeconds: number
  },
): Promise<Candidate[]> {
  return tx.query<Candidate>(
    `select d.store_id as "storeId", d.payment_id as "paymentId", d.sequence, d.host
     from delivery d
     where d.due_at <= now() and ${isFree('$4')} and d.mode = $1 and d.host <> all($2::text[])
       and d.store_id <> all($5::int[])
       and not (d.sequence > 1 and exists (
         select 1
         from delivery b
         where b.store_id = d.store_id and b.payment_id = d.payment_id
           and b.sequence < d.sequence and b.attempts = 0 and b.due_at is not null
       ))
     order by d.due_at
     limit $3`,
    [mode, busyHosts, limit, leaseSeconds, busyStores],
  )
}

/**
 * The bodies are read in a second statement. The update may wait for a transaction that rewrites or empties an event
 * and revokes its lease, and a statement that has waited would not see the new body.
 */
export async function leaseDeliveries(
  tx: Tx,
  keys: readonly EventKey[],
  lease: Lease,
): Promise<Delivery[]> {
  if (keys.length === 0) return []
  await tx.execute(
    `update delivery d
     set lease = $4, leased_until = now() + $5::int * interval '1 second'
     from ${KEYS}) as v (store_id, payment_id, sequence)
     where ${BY_KEY} and d.due_at <= now() and ${isFree('$5')} ${shardFilter(tx, 'd.store_id')}`,
    [...eventKeyArrays(keys), lease.token, lease.seconds],
  )
  const rows = await tx.query<Omit<Delivery, 'createdAt'> & { createdMs: number }>(
    `select d.store_id as "storeId", d.payment_id as "paymentId", d.sequence, d.mode, d.url, d.host,
       d.attempts, e.body,
       (extract(epoch from d.created_at at time zone 'UTC') * 1000)::float8 as "createdMs"
     from ${KEYS}) as v (store_id, payment_id, sequence)
     join delivery d on ${BY_KEY} ${shardFilter(tx, 'd.store_id')}
     join event e
       on e.store_id = d.store_id and e.payment_id = d.payment_id and e.sequence = d.sequence
       ${shardFilter(tx, 'e.store_id')}
     where d.lease = $4 and e.body <> ''`,
    [...eventKeyArrays(keys), lease.token],
  )
  return rows.map(({ createdMs, ...row }) => ({ ...row, createdAt: new Date(createdMs) }))
}

export type Attempt = EventKey & {
  readonly lease: string
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly responseBody: string | null
  /** Null if it was delivered. `waitMs` is the delay of the next attempt, or null if there is none. */
  readonly retry: { readonly waitMs: number | null } | null
}

/**
 * Records attempts, except those whose lease was lost: another process may have sent the event meanwhile. An attempt
 * is counted here and not when it starts, so that a crash doesn't count. An event that was resent during a failed attempt
 * stays due.
 */
export async function recordAttempts(tx: Tx, attempts: readonly Attempt[]): Promise<void> {
  await tx.execute(
    `with v as (
       select v.*, coalesce(v.error, 'status ' || v.status_code) as problem,
         now() + v.wait_ms * interval '1 millisecond' as due_at
       from json_to_recordset($1::json) as v (
         store_id int, payment_id text, sequence int, lease uuid, at timestamptz, duration_ms int,
         status_code int, error text, answer text, is_delivered boolean, wait_ms bigint)
     ), delivered as (
       delete from delivery d
       using v
       where ${BY_KEY} and d.lease = v.lease and v.is_delivered ${shardFilter(tx, 'd.store_id', '$2')}
       returning d.store_id, d.payment_id, d.sequence, d.mode, v.lease, d.attempts + 1 as number
     ), failed as (
       update delivery d
       set attempts = d.attempts + 1, lease = null, leased_until = '-infinity',
         last_error = v.problem, due_at = case when d.due_at > v.at then d.due_at else v.due_at end
       from v
       where ${BY_KEY} and d.lease = v.lease and not v.is_delivered ${shardFilter(tx, 'd.store_id', '$2')}
       returning d.store_id, d.payment_id, d.sequence, d.mode, v.lease, d.attempts as number
     )
     insert into delivery_attempt (
       store_id, payment_id, sequence, mode, at, number, duration_ms, status_code, error, answer)
     select d.store_id, d.payment_id, d.sequence, d.mode, v.at, d.number, v.duration_ms, v.status_code,
       v.error, v.answer
     from (select * from delivered union all select * from failed) d
     join v on ${BY_KEY} and d.lease = v.lease`,
    // One JSON parameter, because encoding eleven arrays takes the driver longer than parsing JSON takes the server.
    [
      JSON.stringify(
        attempts.map((attempt) => ({
          store_id: attempt.storeId,
          payment_id: attempt.paymentId,
          sequence: attempt.sequence,
          lease: attempt.lease,
          at: attempt.startedAt,
          duration_ms: attempt.durationMs,
          status_code: attempt.statusCode,
          error: attempt.error,
          answer: attempt.responseBody,
          is_delivered: attempt.retry === null,
          wait_ms: attempt.retry?.waitMs ?? null,
        })),
      ),
      ...(tx.isDistributed ? [attempts.map(({ storeId }) => storeId)] : []),
    ],
  )
}

/** Releases deliveries that were leased but not attempted, so that they can be claimed immediately. */
export async function releaseDeliveries(
  tx: Tx,
  held: readonly (EventKey & { readonly lease: string })[],
): Promise<void> {
  await tx.execute(
    `update delivery d
     set lease = null, leased_until = '-infinity'
     from ${KEYS}, $4::uuid[]) as v (store_id, payment_id, sequence, lease)
     where ${BY_KEY} and d.lease = v.lease ${shardFilter(tx, 'd.store_id')}`,
    [...eventKeyArrays(held), held.map(({ lease }) => lease)],
  )
}

/** Moves deliveries that are due after `latest` to `at`. Returns their number. */
export async function advanceDeliveries(
  tx: Tx,
  { at, latest, limit }: { at: Date; latest: Date; limit: number },
): Promise<number> {
  return tx.execute(
    `update delivery
     set due_at = $1
     where (store_id, payment_id, sequence) in (
       select store_id, payment_id, sequence
       from delivery
       where due_at > $2
       limit $3
     )`,
    [at, latest, limit],
  )
}

/** Makes deliveries due now. Exhausted ones get a new schedule. Leased ones keep their lease. */
export async function makeDue(tx: Tx, keys: readonly EventKey[], at: Date): Promise<EventKey[]> {
  return tx.query<EventKey>(
    `update delivery d
     set due_at = $4, attempts = case when d.due_at is null then 0 else d.attempts end
     from ${KEYS}) as v (store_id, payment_id, sequence)
     where ${BY_KEY} ${shardFilter(tx, 'd.store_id')}
     returning d.store_id as "storeId", d.payment_id as "paymentId", d.sequence`,
    [...eventKeyArrays(keys), at],
  )
}

export type DeliveryState = EventKey & { readonly dueAt: Date | null }

export async function findDeliveries(on: Queryable, key: PaymentKey): Promise<DeliveryState[]> {
  return on.query<DeliveryState>(
    `select store_id as "storeId", payment_id as "paymentId", sequence, due_at as "dueAt"
     from delivery
     where store_id = $1 and payment_id = $2`,
    [key.storeId, key.paymentId],
  )
}

export type AttemptRow = {
  readonly paymentId: PaymentId
  readonly sequence: number
  readonly at: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
  readonly responseBody: string | null
}

const ATTEMPT_COLUMNS = `
  a.payment_id as "paymentId", a.sequence, a.at, a.duration_ms as "durationMs",
  a.status_code as "statusCode", a.error, a.answer as "responseBody"`

/** The latest attempts of these payments, oldest first. Limited, because an event can be resent any number of times. */
export async function findAttempts(
  on: Queryable,
  payments: readonly Omit<PaymentKey, 'mode'>[],
  limit: number,
): Promise<AttemptRow[]> {
  if (payments.length === 0) return []
  const newestFirst = await on.query<AttemptRow>(
    `select ${ATTEMPT_COLUMNS}
     from unnest($1::int[], $2::text[]) as v (store_id, payment_id)
     join delivery_attempt a
       on a.store_id = v.store_id and a.payment_id = v.payment_id ${shardFilter(on, 'a.store_id')}
     order by a.at desc, a.sequence desc
     limit $3`,
    [...columns(payments, 'storeId', 'paymentId'), limit],
  )
  return newestFirst.toReversed()
}

/** The latest attempt of each payment that has one. */
export async function findLatestAttempts(on: Queryable, keys: readonly PaymentKey[]) {
  if (keys.length === 0) return []
  return on.query<AttemptRow>(
    `select distinct on (a.store_id, a.payment_id) a.store_id as "storeId", ${ATTEMPT_COLUMNS}
     from unnest($1::int[], $2::text[]) as v (store_id, payment_id)
     join delivery_attempt a
       on a.store_id = v.store_id and a.payment_id = v.payment_id ${shardFilter(on, 'a.store_id')}
     order by a.store_id, a.payment_id, a.at desc, a.sequence desc`,
    columns(keys, 'storeId', 'paymentId'),
  )
}
