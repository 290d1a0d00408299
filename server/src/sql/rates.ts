import type { CurrencyCode } from '../core/currencies.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'

export type Rate = {
  readonly from: CurrencyCode
  readonly to: CurrencyCode
  readonly rate: bigint
  readonly setAt: Date
}

const COLUMNS = `from_currency as "from", to_currency as "to", rate, set_at as "setAt"`

export async function findRate(on: Queryable, from: CurrencyCode, to: CurrencyCode) {
  const rows = await listRateHistory(on, { from, to, limit: 1 })
  return rows[0] ?? null
}

type CurrencyPair = Pick<Rate, 'from' | 'to'>

/** The current rates of these pairs. */
export async function findRates(on: Queryable, pairs: readonly CurrencyPair[]): Promise<Rate[]> {
  if (pairs.length === 0) return []
  return on.query<Rate>(
    `select v.from_currency as "from", v.to_currency as "to", r.rate, r.set_at as "setAt"
     from unnest($1::text[], $2::text[]) as v (from_currency, to_currency)
     cross join lateral (
       select rate, set_at
       from exchange_rate
       where from_currency = v.from_currency and to_currency = v.to_currency
       order by set_at desc
       limit 1
     ) r`,
    columns(pairs, 'from', 'to'),
  )
}

export async function listRateHistory(
  on: Queryable,
  {
    from,
    to,
    before = null,
    limit,
  }: { from: CurrencyCode; to: CurrencyCode; before?: Date | null; limit: number },
): Promise<Rate[]> {
  return on.query<Rate>(
    `select ${COLUMNS}
     from exchange_rate
     where from_currency = $1 and to_currency = $2 and set_at < coalesce($4, 'infinity'::timestamptz)
     order by set_at desc
     limit $3`,
    [from, to, limit, before],
  )
}

export async function listRates(on: Queryable): Promise<Rate[]> {
  return on.query<Rate>(
    `select distinct on (from_currency, to_currency) ${COLUMNS}
     from exchange_rate
     order by from_currency, to_currency, set_at desc`,
  )
}

export async function insertRate(tx: Tx, rate: Rate): Promise<void> {
  await tx.execute(
    `insert into exchange_rate (from_currency, to_currency, set_at, rate)
     values ($1, $2, $3, $4)`,
    [rate.from, rate.to, rate.setAt, rate.rate],
  )
}
