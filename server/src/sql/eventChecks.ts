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

const SEQUENCES = '(values (1), (2)) as k (sequence)'
const EXPECTED_AT = 'case k.sequence when 1 then p.settled_at else p.refunded_at end'
const EXPECTED_TYPE = `'payment.' || case when k.sequence = 1 and p.status = 'refunded' then 'completed' else p.status end`

/** A payment that nobody pays is marked as expired within seconds of its expiry while the service runs. */
const MAX_EXPIRY_DELAY = `interval '1 hour'`
const IS_EARLY_OR_LATE = `
  (${EXPECTED_AT}) not between p.expires_at - ${MAX_PENDING} and p.expires_at + ${MAX_EXPIRY_DELAY}`

/**
 * Returns the payments that may not have their events. Compares the events of the range with the payments that expire around
 * it, by time. Also returns payments that expire in the range and were settled or refunded so much earlier or later that only a
 * comparison by key finds their events.
 */
export async function findEventSuspects(tx: Tx, { from, to }: LedgerRange): Promise<Suspect[]> {
  const inRange = (column: string) => `${column} >= $1::timestamptz and ${column} < $2::timestamptz`
  return tx.query<Suspect>(
    `select distinct coalesce(x.store_id, e.store_id) as "storeId", coalesce(x.payment_id, e.payment_id) as "paymentId"
     from (
       select p.store_id, p.mode, p.payment_id, k.sequence, ${EXPECTED_TYPE} as type, ${EXPECTED_AT} as at
       from payment p
       cross join ${SEQUENCES}
       where p.expires_at >= $1::timestamptz - ${MAX_EXPIRY_DELAY} and p.expires_at < $2::timestamptz + ${MAX_PENDING}
         and ((${inRange(EXPECTED_AT)}) or (${inRange('p.expires_at')} and ${IS_EARLY_OR_LATE}))
     ) x
     full join (
       select e.store_id, e.mode, e.payment_id, e.sequence, e.type, e.created_at as at
       from store_balance b
       join event e on e.store_id = b.store_id and e.mode = b.mode
       where ${inRange('e.created_at')}
     ) e on e.store_id = x.store_id and e.payment_id = x.payment_id and e.sequence = x.sequence
     where (x.mode, x.type, x.at) is distinct from (e.mode, e.type, e.at)`,
    [from, to],
  )
}

/** Compares these payments with their events, by key. Returns the differences. */
export async function compareEvents(tx: Tx, suspects: readonly Suspect[]): Promise<Finding[]> {
  return tx.query<Finding>(
    `select '${EXACT_EVENTS}' as check,
       format('event %s of payment %s', coalesce(x.sequence, e.sequence), coalesce(x.payment_id, e.payment_id)) as subject,
       case when x.type is null then 'none' else format('%s, %s, %s', x.type, x.mode, x.at) end as expected,
       case when e.type is null then 'none' else format('%s, %s, %s', e.type, e.mode, e.created_at) end as found
     from (
       select p.store_id, p.mode, p.payment_id, k.sequence, ${EXPECTED_TYPE} as type, ${EXPECTED_AT} as at
       from unnest($1::int[], $2::text[]) as s (store_id, payment_id)
       join payment p
         on p.store_id = s.store_id and p.payment_id = s.payment_id and p.mode in ('live', 'sandbox')
         ${shardFilter(tx, 'p.store_id')}
       cross join ${SEQUENCES}
       where p.status <> 'pending' and (k.sequence = 1 or p.status = 'refunded')
     ) x
     full join (
       select e.*
       from unnest($1::int[], $2::text[]) as s (store_id, payment_id)
       join event e
         on e.store_id = s.store_id and e.payment_id = s.payment_id ${shardFilter(tx, 'e.store_id')}
     ) e on e.store_id = x.store_id and e.payment_id = x.payment_id and e.sequence = x.sequence
     where (x.mode, x.type, x.at) is distinct from (e.mode, e.type, e.created_at)`,
    columns(suspects, 'storeId', 'paymentId'),
  )
}
