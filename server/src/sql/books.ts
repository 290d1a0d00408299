import type { KindSum, StatementLine } from '../core/books.ts'
import type { TimeRange } from '../core/calendar.ts'
import type { StoreAndMode } from '../core/ids.ts'
import type { Queryable } from '../database/database.ts'
import { columns } from './columns.ts'

// The transfers of a payment are found through its events, which have an index by store and time. With such an index on
// the transfers too, each payment would write to one more index. The first event of a payment belongs to the transfers of
// paying, the second to those of the refund.
const OF_EVENT = `
  t.store_id = e.store_id and t.reference = e.payment_id and t.mode = e.mode
  and t.kind = any(case when e.sequence = 1 then array['payment', 'fee'] else array['refund', 'refund_fee'] end)`
const BY_OPERATOR = `t.kind in ('funding', 'payout')`
const RANK = `array_position(array['payment', 'fee', 'refund', 'refund_fee', 'funding', 'payout'], t.kind)`

/** The sort key of a line in a statement. */
export type LinePosition = { readonly at: Date; readonly reference: string; readonly rank: number }

/** The position before every line of that time. */
export const startingAt = (at: Date): LinePosition => ({ at, reference: '', rank: 0 })

/** Lines between two positions, both exclusive, from either end. */
export async function listLines(
  on: Queryable,
  range: StoreAndMode & {
    after: LinePosition
    before: LinePosition
    newestFirst: boolean
    limit: number
  },
): Promise<StatementLine[]> {
  const { after, before } = range
  const order = range.newestFirst ? 'desc' : 'asc'
  return on.query<StatementLine>(
    `select l.at, l.reference, l.kind, l.amount, l.note
     from (
       (select e.created_at as at, t.reference, t.kind, t.amount, t.note, ${RANK} as rank
        from event e
        join transfer t on ${OF_EVENT}
        where e.store_id = $1 and e.mode = $2
          and (e.created_at, e.payment_id) >= ($3, $4::text)
          and (e.created_at, e.payment_id) <= ($6, $7::text)
          and (e.created_at, e.payment_id, ${RANK}) > ($3, $4::text, $5::int)
          and (e.created_at, e.payment_id, ${RANK}) < ($6, $7::text, $8::int)
        order by e.created_at ${order}, e.payment_id ${order}, e.sequence ${order}, rank ${order}
        limit $9)
       union all
       (select t.at, t.reference, t.kind, t.amount, t.note, ${RANK} as rank
        from transfer t
        where t.store_id = $1 and t.mode = $2 and ${BY_OPERATOR}
          and (t.at, t.reference) >= ($3, $4::text)
          and (t.at, t.reference) <= ($6, $7::text)
          and (t.at, t.reference, ${RANK}) > ($3, $4::text, $5::int)
          and (t.at, t.reference, ${RANK}) < ($6, $7::text, $8::int)
        order by t.at ${order}, t.reference ${order}
        limit $9)
     ) l
     order by l.at ${order}, l.reference ${order}, l.rank ${order}
     limit $9`,
    [
      range.storeId,
      range.mode,
      after.at,
      after.reference,
      after.rank,
      before.at,
      before.reference,
      before.rank,
      range.limit,
    ],
  )
}

/**
 * The sums of each period by kind. `period` is its index in the list. Archived transfers are summed by 15 minutes, so a period
 * that begins or ends among them must do so on a quarter of an hour, as every local day does.
 */
export async function sumLines(
  on: Queryable,
  owner: StoreAndMode,
  periods: readonly TimeRange[],
): Promise<(KindSum & { readonly period: number })[]> {
  return on.query(
    `select d.period::int - 1 as period, l.kind, sum(l.count)::int as count, sum(l.amount)::bigint as amount
     from unnest($3::timestamptz[], $4::timestamptz[]) with ordinality as d (starts, ends, period)
     cross join lateral (
       select t.kind, 1 as count, t.amount
       from event e
       join transfer t on ${OF_EVENT}
       where e.store_id = $1 and e.mode = $2 and e.created_at >= d.starts and e.created_at < d.ends
       union all
       select t.kind, 1, t.amount
       from transfer t
       where t.store_id = $1 and t.mode = $2 and ${BY_OPERATOR}
         and t.at >= d.starts and t.at < d.ends
       union all
       select a.kind, a.count, a.amount
       from archived_line a
       where a.store_id = $1 and a.mode = $2 and a.kind <> 'donation'
         and a.starts >= d.starts and a.starts < d.ends
     ) l
     group by d.period, l.kind`,
    [owner.storeId, owner.mode, ...columns(periods, 'from', 'to')],
  )
}
