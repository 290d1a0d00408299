import type { TimeRange } from '../core/calendar.ts'
import type { Mode, WalletNumber } from '../core/ids.ts'
import { type CurrencyTotals, type PeriodTotals, TOTALS_PERIOD_MS } from '../core/paymentTotals.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'

/**
 * Sums the outcomes and refunds of all stores in a short range, by period. Each store has one balance per mode. The join
 * with the balances lets PostgreSQL find the events of each store by an index. There is no index by time alone, because
 * every payment would have to write it.
 */
export async function sumPayments(on: Queryable, { from, to }: TimeRange): Promise<PeriodTotals[]> {
  const rows = await on.query<CurrencyTotals & { readonly period: number }>(
    `select floor(extract(epoch from e.created_at - $1::timestamptz) / $3::int)::int as period, e.mode, p.currency,
       (count(*) filter (where e.type = 'payment.completed'))::int as completed,
       coalesce(sum(p.gross) filter (where e.type = 'payment.completed'), 0)::bigint as gross,
       coalesce(sum(case e.type
         when 'payment.completed' then p.fee
         when 'payment.refunded' then p.refund_fee - coalesce(p.refund_fee_waived, 0)
       end), 0)::bigint as fees,
       (count(*) filter (where e.type = 'payment.refunded'))::int as refunded,
       coalesce(sum(p.gross) filter (where e.type = 'payment.refunded'), 0)::bigint as "refundedGross",
       (count(*) filter (where e.type = 'payment.failed'))::int as failed,
       (count(*) filter (where e.type = 'payment.expired' and p.settled_at >= p.expires_at))::int as expired,
       (count(*) filter (where e.type = 'payment.expired' and p.settled_at < p.expires_at))::int as cancelled
     from store_balance b
     join event e on e.store_id = b.store_id and e.mode = b.mode
     join payment p on p.store_id = e.store_id and p.mode = e.mode and p.payment_id = e.payment_id
     where e.created_at >= $1 and e.created_at < $2
     group by 1, e.mode, p.currency`,
    [from, to, TOTALS_PERIOD_MS / 1000],
  )
  return rows.map(({ period, ...totals }) => ({
    ...totals,
    starts: new Date(from.getTime() + period * TOTALS_PERIOD_MS),
  }))
}

export async function insertTotals(tx: Tx, totals: readonly PeriodTotals[]): Promise<void> {
  if (totals.length === 0) return
  await tx.execute(
    `insert into payment_total (
       starts, mode, currency, completed, gross, fees, refunded, refunded_gross, failed, expired, cancelled)
     select *
     from unnest(
       $1::timestamptz[], $2::text[], $3::text[], $4::int[], $5::bigint[], $6::bigint[], $7::int[],
       $8::bigint[], $9::int[], $10::int[], $11::int[])`,
    [
      ...columns(totals, 'starts', 'mode', 'currency', 'completed', 'gross', 'fees'),
      ...columns(totals, 'refunded', 'refundedGross', 'failed', 'expired', 'cancelled'),
    ],
  )
}

export async function deleteTotals(tx: Tx, since: Date): Promise<void> {
  await tx.execute('delete from payment_total where starts >= $1', [since])
}

/** The sums of each range by currency. `range` is its index in the list. */
export async function readTotals(
  on: Queryable,
  mode: Mode,
  ranges: readonly TimeRange[],
): Promise<(CurrencyTotals & { readonly range: number })[]> {
  return on.query(
    `select r.n::int - 1 as range, t.mode, t.currency, sum(t.completed)::float8 as completed,
       sum(t.gross)::bigint as gross, sum(t.fees)::bigint as fees, sum(t.refunded)::float8 as refunded,
       sum(t.refunded_gross)::bigint as "refundedGross", sum(t.failed)::float8 as failed,
       sum(t.expired)::float8 as expired, sum(t.cancelled)::float8 as cancelled
     from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as r (starts, ends, n)
     join payment_total t on t.starts >= r.starts and t.starts < r.ends
     where t.mode = $1
     group by r.n, t.mode, t.currency`,
    [mode, ...columns(ranges, 'from', 'to')],
  )
}

/** The end of the last period that was added. */
export async function findTotalsEnd(on: Queryable): Promise<Date> {
  const rows = await on.query<{ end: Date }>(
    `select done_until as end from sweep where name = 'payment totals'`,
  )
  return rows[0]!.end
}

/** Sets the end of the last period that was added. */
export async function setTotalsEnd(tx: Tx, until: Date): Promise<void> {
  await tx.execute(`update sweep set done_until = $1 where name = 'payment totals'`, [until])
}

/** Null before the first store is created. */
export async function findFirstStoreTime(on: Queryable): Promise<Date | null> {
  const rows = await on.query<{ at: Date | null }>('select min(created_at) as at from store')
  return rows[0]!.at
}

type ActiveCount = { readonly active: number; readonly total: number }

/** Counts the stores with payments since that day, in their own time zones. Reads the counters of their limits. */
export async function countActiveStores(
  on: Queryable,
  mode: Mode,
  day: string,
): Promise<ActiveCount> {
  const active = await on.query<{ count: number }>(
    `select count(distinct u.store_id)::int as count
     from usage u
     where u.mode = $1 and u.period = 'day' and u.starts >= $2::date and u.used > 0`,
    [mode, day],
  )
  const all = await on.query<{ count: number }>('select count(*)::int as count from store')
  return { active: active[0]!.count, total: all[0]!.count }
}

/** A wallet, and when it last paid. */
type RecentPayer = {
  readonly walletId: WalletNumber
  readonly mode: Mode
  readonly paidAt: Date
}

/** The wallets that paid in a short range. Joins the tables like `sumPayments`. */
export async function findRecentPayers(
  on: Queryable,
  { from, to }: TimeRange,
): Promise<RecentPayer[]> {
  return on.query<RecentPayer>(
    `select p.wallet_id as "walletId", e.mode, max(e.created_at) as "paidAt"
     from store_balance b
     join event e on e.store_id = b.store_id and e.mode = b.mode
     join payment p on p.store_id = e.store_id and p.mode = e.mode and p.payment_id = e.payment_id
     where e.created_at >= $1 and e.created_at < $2 and e.type = 'payment.completed'
     group by p.wallet_id, e.mode`,
    [from, to],
  )
}

/** Records when these wallets last paid. */
export async function setLastPayments(tx: Tx, payers: readonly RecentPayer[]): Promise<void> {
  if (payers.length === 0) return
  await tx.execute(
    `insert into wallet_last_payment (wallet_id, mode, paid_at)
     select *
     from unnest($1::int[], $2::text[], $3::timestamptz[])
     on conflict (wallet_id) do update set paid_at = excluded.paid_at`,
    columns(payers, 'walletId', 'mode', 'paidAt'),
  )
}

/** Counts the wallets that have paid since a time. `latest` are the wallets that paid after the end of the totals. */
export async function countActiveWallets(
  on: Queryable,
  { mode, since, latest }: { mode: Mode; since: Date; latest: readonly WalletNumber[] },
): Promise<ActiveCount> {
  const active = await on.query<{ count: number }>(
    `select count(*)::int as count
     from wallet_last_payment l
     where l.mode = $1 and l.paid_at >= $2`,
    [mode, since],
  )
  const added = await on.query<{ count: number }>(
    `select count(*)::int as count
     from unnest($1::int[]) as t (wallet_id)
     where not exists (
       select 1
       from wallet_last_payment l
       where l.wallet_id = t.wallet_id and l.paid_at >= $2
     )`,
    [latest, since],
  )
  const all = await on.query<{ count: number }>(
    'select count(*)::int as count from wallet w where w.mode = $1 and w.erased_at is null',
    [mode],
  )
  return { active: active[0]!.count + added[0]!.count, total: all[0]!.count }
}
