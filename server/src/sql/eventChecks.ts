import type { LedgerRange } from '../core/ledgerSeal.ts'
import type { Tx } from '../database/database.ts'
import { columns } from './columns.ts'
import type { Finding } from './ledgerChecks.ts'
import { MAX_PENDING, type Suspect } from './paymentChecks.ts'
import { shardFilter } from './shards.ts'

/**
 * The check that consists of `findEventSuspects` and `compareEvents`. Statements and daily closes find the transfers of a payment
 * through its events.
 */
export const EXACT_EVENTS = 'every payment has exactly its events'

/** A payment that nobody pays is marked as expired within seconds of its expiry while the service runs. */
const MAX_EXPIRY_DELAY = `interval '1 hour'`

/**
 * Returns the payments that may not have their events. Compares the first events of the range with the payments that expire around
 * it, by time, and by key those that were settled much earlier or later than they expire. Finds refunds by key, because they may be
 * much later than the payment.
 */
export async function findEventSuspects(tx: Tx, { from, to }: LedgerRange): Promise<Suspect[]> {
  const inRange = (column: string) => `${column} >= $1::timestamptz and ${column} < $2::timestamptz`
  // Only columns of the index `event_log`: reading the rows, too, takes twice as long.
  const eventsOfRange = `
    select e.store_id, e.mode, e.payment_id, e.sequence, e.created_at
    from store_balance b
    join event e on e.store_id = b.store_id and e.mode = b.mode
    where ${inRange('e.created_at')}`
  return tx.query<Suspect>(
    `select s.store_id as "storeId", s.payment_id as "paymentId"
     from (
       select coalesce(p.store_id, e.store_id) as store_id, coalesce(p.payment_id, e.payment_id) as payment_id
       from (
         select p.store_id, p.mode, p.payment_id, p.settled_at
         from payment p
         where p.expires_at >= $1::timestamptz - ${MAX_EXPIRY_DELAY} and p.expires_at < $2::timestamptz + ${MAX_PENDING}
           and (${inRange('p.settled_at')}
             or (${inRange('p.expires_at')}
               and p.settled_at not between p.expires_at - ${MAX_PENDING} and p.expires_at + ${MAX_EXPIRY_DELAY}))
       ) p
       full join (${eventsOfRange} and e.sequence = 1) e
         on e.store_id = p.store_id and e.payment_id = p.payment_id
       where (p.mode, p.settled_at) is distinct from (e.mode, e.created_at)
       union
       select p.store_id, p.payment_id
       from payment p
       left join event e on e.store_id = p.store_id and e.payment_id = p.payment_id and e.sequence = 2
       where ${inRange('p.expires_at')} and p.status = 'refunded'
         and (p.mode, p.refunded_at) is distinct from (e.mode, e.created_at)
       union
       select e.store_id, e.payment_id
       from (${eventsOfRange} and e.sequence = 2) e
       left join payment p on p.store_id = e.store_id and p.mode = e.mode and p.payment_id = e.payment_id
       where (p.status, p.refunded_at) is distinct from ('refunded', e.created_at)
     ) s`,
    [from, to],
  )
}

/** Compares these payments with their events, by key. Returns the differences. */
export async function compareEvents(tx: Tx, suspects: readonly Suspect[]): Promise<Finding[]> {
  return tx.query<Finding>(
    `select '${EXACT_EVENTS}' as check,
       format('event %s of payment %s', coalesce(x.sequence, e.sequence), coalesce(x.payment_id, e.payment_id)) as subject,
       case when x.mode is null then 'none' else format('%s, %s', x.mode, x.at) end as expected,
       case when e.mode is null then 'none' else format('%s, %s', e.mode, e.created_at) end as found
     from (
       select p.store_id, p.mode, p.payment_id, k.sequence,
         case k.sequence when 1 then p.settled_at else p.refunded_at end as at
       from unnest($1::int[], $2::text[]) as s (store_id, payment_id)
       join payment p
         on p.store_id = s.store_id and p.payment_id = s.payment_id and p.mode in ('live', 'sandbox')
         ${shardFilter(tx, 'p.store_id')}
       cross join (values (1), (2)) as k (sequence)
       where p.status <> 'pending' and (k.sequence = 1 or p.status = 'refunded')
     ) x
     full join (
       select e.*
       from unnest($1::int[], $2::text[]) as s (store_id, payment_id)
       join event e
         on e.store_id = s.store_id and e.payment_id = s.payment_id ${shardFilter(tx, 'e.store_id')}
     ) e on e.store_id = x.store_id and e.payment_id = x.payment_id and e.sequence = x.sequence
     where (x.mode, x.at) is distinct from (e.mode, e.created_at)`,
    columns(suspects, 'storeId', 'paymentId'),
  )
}
