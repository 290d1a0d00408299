import type { StoreAndMode } from '../core/ids.ts'
import type { DayFigures, DaySeal, LedgerRange } from '../core/ledgerSeal.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'
import { STORE_DELTAS } from './ledgerChecks.ts'
import { FIRST_TIME, TIMES_END } from './paymentChecks.ts'

/** The day of a store, computed from its rows or as it was sealed. */
export type LedgerDay = StoreAndMode & {
  readonly day: string
  readonly payments: bigint
  readonly paymentHash: string
  readonly transfers: bigint
  readonly transferHash: string
  readonly balance: bigint
  readonly fees: bigint
  readonly gifts: bigint
}
/** A day of all wallets together. */
export type WalletDay = {
  readonly day: string
  readonly walletTransfers: bigint
  readonly walletHash: string
}

// A sum over rows depends on no order. Times and dates are numbers, because their text depends on settings. The cast takes the
// first 64 bits.
export const hashOf = (...values: string[]) =>
  `coalesce(sum(('x' || md5(row(${values.join(', ')})::text))::bit(64)::bigint), 0)::text`
// An infinite one has no number. Another check reports it. `date_part` is faster than `extract`, and rounded to microseconds
// its floating-point seconds are exact until the year 2106.
export const micros = (time: string) =>
  `case when isfinite(${time}) then (date_part('epoch', ${time}) * 1000000)::bigint end`
export const dayNumber = (date: string) =>
  `case when isfinite(${date}) then ${date} - '2000-01-01'::date end`
const dayOf = (time: string) => `(${time} at time zone 'UTC')::date`

// Without the note, on which no balance depends.
const TRANSFER_COLUMNS = [
  'store_id',
  'reference',
  'kind',
  'mode',
  'debit',
  'credit',
  'amount',
  'currency',
]
const TRANSFER_VALUES = [...TRANSFER_COLUMNS.map((name) => `t.${name}`), micros('t.at')]
export const TRANSFER_HASH = hashOf(...TRANSFER_VALUES)
export const WALLET_HASH = hashOf('t.wallet_id', ...TRANSFER_VALUES)
// What never changes once the payment has expired and is not pending. A refund is a transfer of its own day.
const PAYMENT_HASH = hashOf(
  'p.store_id',
  'p.mode',
  'p.payment_id',
  `case p.status when 'refunded' then 'completed' else p.status end`,
  'p.gross',
  'p.fee',
  'p.donation',
  'p.currency',
  'p.request_amount',
  'p.request_currency',
  'p.conversion_rate',
  micros('p.created_at'),
  micros('p.expires_at'),
  dayNumber('p.usage_day'),
  dayNumber('p.usage_month'),
  micros('p.settled_at'),
  'p.wallet_id',
  'p.failure',
  'p.link_id',
)

/** The transfers of each store and day in a range, computed from rows. */
export async function measureTransfers(tx: Tx, range: LedgerRange) {
  // The sum of tampered amounts may be too large for a bigint of PostgreSQL, so the sums are text.
  const rows = await tx.query<
    Pick<LedgerDay, 'storeId' | 'mode' | 'day' | 'transfers' | 'transferHash'> &
      Record<'balance' | 'fees' | 'gifts', string>
  >(
    `select m.store_id as "storeId", m.mode, m.day, m.transfers, m.hash as "transferHash",
       m.balance::text as balance, m.fees::text as fees, m.gifts::text as gifts
     from (
       select k.store_id, k.mode, k.day, sum(k.transfers)::bigint as transfers, sum(k.hash::numeric)::text as hash,
         ${STORE_DELTAS}
       from (
         select t.store_id, t.mode, ${dayOf('t.at')} as day, t.kind, count(*) as transfers,
           sum(t.amount) as amount, ${TRANSFER_HASH} as hash
         from transfer t
         where t.at >= $1::timestamptz and t.at < $2::timestamptz
         group by t.store_id, t.mode, ${dayOf('t.at')}, t.kind
       ) k
       group by k.store_id, k.mode, k.day
     ) m`,
    [range.from, range.to],
  )
  return rows.map(({ balance, fees, gifts, ...day }) => ({
    ...day,
    balance: BigInt(balance),
    fees: BigInt(fees),
    gifts: BigInt(gifts),
  }))
}

/**
 * The payments of each store and day in a range, computed from rows. `pending` is the first plausible expiry of those that are
 * still pending.
 */
export async function measurePayments(tx: Tx, range: LedgerRange) {
  return tx.query<
    Pick<LedgerDay, 'storeId' | 'mode' | 'day' | 'payments' | 'paymentHash'> & {
      readonly pending: Date | null
    }
  >(
    `select p.store_id as "storeId", p.mode, ${dayOf('p.expires_at')} as day, count(*) as payments,
       ${PAYMENT_HASH} as "paymentHash", min(p.expires_at) filter (where p.status = 'pending' and p.expires_at >= ${FIRST_TIME}
         and p.expires_at < ${TIMES_END}) as pending
     from payment p
     where p.expires_at >= $1::timestamptz and p.expires_at < $2::timestamptz
     group by p.store_id, p.mode, ${dayOf('p.expires_at')}`,
    [range.from, range.to],
  )
}

export async function measureWalletTransfers(tx: Tx, range: LedgerRange): Promise<WalletDay[]> {
  return tx.query<WalletDay>(
    `select ${dayOf('t.at')} as day, count(*) as "walletTransfers", ${WALLET_HASH} as "walletHash"
     from wallet_transfer t
     where t.at >= $1::timestamptz and t.at < $2::timestamptz
     group by ${dayOf('t.at')}`,
    [range.from, range.to],
  )
}

/** The sealed days of stores in a range. */
export async function listStoreSeals(tx: Tx, range: LedgerRange): Promise<LedgerDay[]> {
  return tx.query<LedgerDay>(
    `select store_id as "storeId", mode, day, payments, payment_hash::text as "paymentHash", transfers,
       transfer_hash::text as "transferHash", balance, fees, gifts
     from ledger_seal
     where day >= ${dayOf('$1::timestamptz')} and day < ${dayOf('$2::timestamptz')}`,
    [range.from, range.to],
  )
}

export async function listDaySeals(on: Queryable): Promise<DaySeal[]> {
  return on.query<DaySeal>(
    `select day, stores, store_hash::text as "storeHash", wallet_transfers as "walletTransfers",
       wallet_hash::text as "walletHash", totals, mac
     from day_seal
     order by day`,
  )
}

/** What the seals of stores add up to, for each day since this one. */
export async function measureStoreSeals(tx: Tx, since: string) {
  const hash = hashOf(
    'store_id',
    'mode',
    dayNumber('day'),
    'payments',
    'payment_hash',
    'transfers',
    'transfer_hash',
    'balance',
    'fees',
    'gifts',
  )
  return tx.query<
    Pick<DayFigures, 'day' | 'stores' | 'storeHash'> &
      Pick<LedgerDay, 'payments' | 'transfers' | 'transferHash'>
  >(
    `select day, count(*) as stores, ${hash} as "storeHash",
       sum(payments)::bigint as payments, sum(transfers)::bigint as transfers,
       sum(transfer_hash)::text as "transferHash"
     from ledger_seal
     where day >= $1::date
     group by day`,
    [since],
  )
}

/** The hashes of all sealed totals, and of the usage that can't change after everything before `until` is sealed. */
export async function hashTotals(tx: Tx, until: string): Promise<string> {
  const hash = async (table: string, values: string[], where: string, parameters: unknown[]) => {
    const rows = await tx.query<{ hash: string }>(
      `select ${hashOf(...values)} as hash from ${table} where ${where}`,
      parameters,
    )
    return rows[0]!.hash
  }
  const parts = [
    await hash('wallet_seal', ['wallet_id', 'currency', 'transfers', 'balance'], 'true', []),
    await hash('link_seal', ['store_id', 'mode', 'link_id', 'payments', 'total'], 'true', []),
    await hash(
      'usage',
      ['store_id', 'mode', dayNumber('starts'), 'used'],
      `period = 'day' and starts < $1::date - 2`,
      [until],
    ),
  ]
  return parts.join(' ')
}

/** Deletes all totals, and the days since this time. */
export async function deleteSeals(tx: Tx, since: string): Promise<void> {
  for (const table of ['ledger_seal', 'day_seal'] as const) {
    await tx.execute(`delete from ${table} where day >= ${dayOf('$1::timestamptz')}`, [since])
  }
  for (const table of ['wallet_seal', 'link_seal'] as const) {
    await tx.execute(`delete from ${table}`)
  }
}

/** Fails if another audit has sealed one of the days meanwhile. */
export async function insertDaySeals(tx: Tx, seals: readonly DaySeal[]): Promise<void> {
  await tx.execute(
    `insert into day_seal (day, stores, store_hash, wallet_transfers, wallet_hash, totals, mac, sealed_at)
     select v.day, v.stores, v.store_hash, v.wallet_transfers, v.wallet_hash, v.totals, v.mac, now()
     from unnest($1::date[], $2::bigint[], $3::numeric[], $4::bigint[], $5::numeric[], $6::text[], $7::bytea[])
       as v (day, stores, store_hash, wallet_transfers, wallet_hash, totals, mac)`,
    columns(seals, 'day', 'stores', 'storeHash', 'walletTransfers', 'walletHash', 'totals', 'mac'),
  )
}

export async function updateTotals(
  tx: Tx,
  { day, totals, mac }: Pick<DaySeal, 'day' | 'totals' | 'mac'>,
): Promise<void> {
  const updated = await tx.execute(
    'update day_seal set totals = $2, mac = $3, sealed_at = now() where day = $1::date',
    [day, totals, mac],
  )
  mustMatch(updated, 1, 'update the totals of a sealed day')
}

export async function insertStoreSeals(tx: Tx, days: readonly LedgerDay[]): Promise<void> {
  if (days.length === 0) return
  const names =
    'store_id, mode, day, payments, payment_hash, transfers, transfer_hash, balance, fees, gifts'
  const inserted = await tx.execute(
    `insert into ledger_seal (${names})
     select ${names}
     from unnest($1::int[], $2::text[], $3::date[], $4::bigint[], $5::numeric[], $6::bigint[], $7::numeric[],
       $8::bigint[], $9::bigint[], $10::bigint[]) as v (${names})`,
    [
      ...columns(days, 'storeId', 'mode', 'day', 'payments', 'paymentHash'),
      ...columns(days, 'transfers', 'transferHash', 'balance', 'fees', 'gifts'),
    ],
  )
  mustMatch(inserted, days.length, 'insert seals of stores')
}
