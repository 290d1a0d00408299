import type { StoreAndMode } from '../core/ids.ts'
import type { OutcomeCount } from '../core/outcomes.ts'
import type { Queryable } from '../database/database.ts'

type OutcomeSum = OutcomeCount & {
  /** Index of the hour in the window. */
  readonly hour: number
}

/**
 * Counts and sums the payments by outcome, method and hour of a window. The lateral join looks up one payment at a time; a
 * plain join may read all payments of the store on a busy day. The store is given twice, because Citus doesn't infer
 * the shard through the join.
 */
export async function sumOutcomes(
  on: Queryable,
  window: StoreAndMode & { from: Date; to: Date },
): Promise<OutcomeSum[]> {
  return on.query<OutcomeSum>(
    `select floor(extract(epoch from e.created_at - $3::timestamptz) / 3600)::int as hour, e.type,
       e.type = 'payment.expired' and p.settled_at < p.expires_at as "isCancelled",
       case when p.link_id is not null then 'link' when p.created_by_key is not null then 'api' else 'till' end as method,
       count(*)::int as count,
       sum(p.gross - case when e.type = 'payment.refunded' then p.refund_fee else 0 end)::bigint as amount
     from event e
     cross join lateral (
       select gross, refund_fee, created_by_key, link_id, settled_at, expires_at
       from payment
       where store_id = $1 and mode = $2 and payment_id = e.payment_id
       limit 1
     ) p
     where e.store_id = $1 and e.mode = $2 and e.created_at >= $3 and e.created_at < $4
     group by 1, 2, 3, 4`,
    [window.storeId, window.mode, window.from, window.to],
  )
}
