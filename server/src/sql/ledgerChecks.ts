import { MAX_FINDINGS } from '@florin/contract/values.js'
import type { LedgerRange } from '../core/ledgerSeal.ts'
import type { Tx } from '../database/database.ts'
import { FIRST_TIME, paymentRowChecks, TIMES_END } from './paymentChecks.ts'

/** An inconsistency in the rows. */
export type Finding = {
  readonly check: string
  readonly subject: string
  readonly expected: string
  readonly found: string
}

/** Creates the findings of a check. */
export const findingsOf =
  (check: string) =>
  (subject: string, expected: string, found: string): Finding => ({
    check,
    subject,
    expected,
    found,
  })

/**
 * Limits a query to its first findings, in the order of their subjects. Without an order, PostgreSQL would plan to stop early,
 * with scans that take many times longer if there is nothing to find.
 */
export const FIRST_FINDINGS = `order by subject limit ${MAX_FINDINGS}`

// In all checks $2 and $3 are the bounds of the range. A transfer is in the range of its time, a payment in that of its
// expiry: a payment is paid before it expires, and later it is only marked as expired or refunded.
//
// On a cluster each machine checks its own rows. So tables are joined only by their distribution column, each branch
// of a union returns only inconsistent rows, and a number is cast to text explicitly, because PostgreSQL treats
// `'store:' || 1` as dependent on settings.

const inRange = (column: string) => `${column} >= $2::timestamptz and ${column} < $3::timestamptz`
// A condition without columns in an outer join would be constant, and Citus couldn't see that the tables are colocated.
const sealedValue = (column: string) =>
  `case when $2::timestamptz > '-infinity' then coalesce(${column}, 0) else 0 end`
const IS_PAID = `p.status in ('completed', 'refunded')`

/**
 * By how much transfers `k`, already summed by kind, change the balances of their store. Other checks prove the accounts of
 * each kind.
 */
export const STORE_DELTAS = `
  coalesce(sum(k.amount) filter (where k.kind in ('payment', 'funding')), 0)
    - coalesce(sum(k.amount) filter (where k.kind in ('fee', 'refund', 'refund_fee', 'payout')), 0) as balance,
  coalesce(sum(k.amount) filter (where k.kind in ('fee', 'refund_fee')), 0) as fees,
  coalesce(sum(k.amount) filter (where k.kind = 'donation'), 0) as gifts`

export const WALLET_DELTA = `
  sum(case when t.kind in ('refund', 'top_up') then t.amount else -t.amount end)`

/**
 * Compares a reference table with a distributed one, in both directions. On a cluster, a new store may be visible in one of
 * them first.
 */
export const STORE_BALANCES = 'every store has its balances, and every balance its store'

/** The times by which rows are divided into ranges. No range contains `infinity`, so another check must find it. */
const DIVIDING_TIMES = [
  [`format('payment %s', p.payment_id)`, 'p.expires_at', 'payment p'],
  [`format('%s %s', t.kind, t.reference)`, 't.at', 'transfer t'],
  [`format('%s %s of wallet %s', t.kind, t.reference, t.wallet_id)`, 't.at', 'wallet_transfer t'],
  [
    `format('event %s of payment %s', e.sequence, e.payment_id)`,
    'e.created_at',
    'store_balance b join event e on e.store_id = b.store_id and e.mode = b.mode',
  ],
] as const
// Each branch finds its rows by an index.
const IMPLAUSIBLE_TIMES = DIVIDING_TIMES.flatMap(([subject, time, rows]) =>
  [`${time} < ${FIRST_TIME}`, `${time} >= ${TIMES_END}`].map(
    (condition) => `
    select ${subject} as subject, 'a time from 2000 to 9999' as expected, ${time}::text as found
    from ${rows}
    where ${condition}`,
  ),
)

/** What was added up before the rows that a check of totals reads: by stores, and by wallets. */
type Base = { readonly stores: string; readonly wallets: string }

const SEALED: Base = {
  stores: `
    select store_id, mode, sum(balance) as balance, sum(fees) as fees, sum(gifts) as gifts
    from ledger_seal
    where day < ($2::timestamptz at time zone 'UTC')::date
    group by store_id, mode`,
  wallets: 'select wallet_id, currency, balance from wallet_seal',
}

/** A check of everything reads all rows that are not archived. */
const ARCHIVED: Base = {
  stores: `
    select k.store_id, k.mode, ${STORE_DELTAS}
    from archived_line k
    group by k.store_id, k.mode`,
  wallets: `
    select wallet_id, currency, sum(balance) as balance
    from archived_wallet
    group by wallet_id, currency`,
}

/**
 * Checks of totals: what was added up before, plus the rows of the range, which has no end. Each query returns one row per
 * inconsistency.
 */
const totalChecks = ({ stores, wallets }: Base): Record<string, string> => ({
  'store balance equals its transfers': `
    select d.account || format('store %s %s', b.store_id, b.mode) as subject, d.expected::text, d.found::text
    from store_balance b
    left join (
      select k.store_id, k.mode, ${STORE_DELTAS}
      from (
        select t.store_id, t.mode, t.kind, sum(t.amount) as amount
        from transfer t
        where ${inRange('t.at')}
        group by t.store_id, t.mode, t.kind
      ) k
      group by k.store_id, k.mode
    ) n on n.store_id = b.store_id and n.mode = b.mode
    left join (${stores}) z on z.store_id = b.store_id and z.mode = b.mode
    cross join lateral (values
      ('', coalesce(z.balance, 0) + coalesce(n.balance, 0), b.balance),
      ('fees of ', coalesce(z.fees, 0) + coalesce(n.fees, 0), b.fees),
      ('gifts of ', coalesce(z.gifts, 0) + coalesce(n.gifts, 0), b.gifts)
    ) as d (account, expected, found)
    where d.expected <> d.found`,
  // A wallet without a balance may be in both parts of the union, which are added up.
  'wallet balance equals its transfers': `
    select d.subject, sum(d.expected)::text as expected, d.found
    from (
      select format('wallet %s %s', coalesce(b.wallet_id, n.wallet_id), coalesce(b.currency, n.currency)) as subject,
        coalesce(b.base, 0) + coalesce(n.balance, 0) as expected, coalesce(b.balance::text, 'no row') as found
      from (
        select b.wallet_id, b.currency, b.balance, coalesce(z.balance, 0) as base
        from wallet_balance b
        left join (${wallets}) z on z.wallet_id = b.wallet_id and z.currency = b.currency
      ) b
      full join (
        select t.wallet_id, t.currency, ${WALLET_DELTA} as balance
        from wallet_transfer t
        where ${inRange('t.at')}
        group by t.wallet_id, t.currency
      ) n on n.wallet_id = b.wallet_id and n.currency = b.currency
      where b.wallet_id is null or b.balance <> b.base + coalesce(n.balance, 0)
      union all
      select format('wallet %s %s', z.wallet_id, z.currency), z.balance, 'no row'
      from (${wallets}) z
      left join wallet_balance b on b.wallet_id = z.wallet_id and b.currency = z.currency
      where b.wallet_id is null
    ) d
    group by d.subject, d.found`,
  // `union` returns a missing link once, not for each of its payments and its seal.
  'totals of a link equal its payments': `
    select format('link %s', l.link_id) as subject,
      format('%s payments of %s', ${sealedValue('z.payments')} + coalesce(n.payments, 0),
        ${sealedValue('z.total')} + coalesce(n.total, 0)) as expected,
      format('%s payments of %s', l.paid_count, l.paid_total) as found
    from link l
    left join (
      select p.store_id, p.mode, p.link_id, count(*) as payments, sum(p.gross) as total
      from payment p
      where p.link_id is not null and ${IS_PAID} and ${inRange('p.expires_at')}
      group by p.store_id, p.mode, p.link_id
    ) n on n.store_id = l.store_id and n.mode = l.mode and n.link_id = l.link_id
    left join link_seal z
      on z.store_id = l.store_id and z.mode = l.mode and z.link_id = l.link_id
    where l.paid_count <> ${sealedValue('z.payments')} + coalesce(n.payments, 0)
      or l.paid_total <> ${sealedValue('z.total')} + coalesce(n.total, 0)
    union all
    select format('link %s', p.link_id), 'a link', 'no row'
    from payment p
    left join link l on l.store_id = p.store_id and l.mode = p.mode and l.link_id = p.link_id
    where p.link_id is not null and l.link_id is null and ${inRange('p.expires_at')}
    union
    select format('link %s', z.link_id), 'a link', 'no row'
    from link_seal z
    left join link l on l.store_id = z.store_id and l.mode = z.mode and l.link_id = z.link_id
    where l.link_id is null`,
  [STORE_BALANCES]: `
    with b as (select store_id, mode from store_balance)
    select format('store %s %s', coalesce(s.store_id, b.store_id), coalesce(s.mode, b.mode)) as subject,
      case when s.store_id is null then 'none' else 'a balance' end as expected,
      case when b.store_id is null then 'none' else 'a balance' end as found
    from (select store.store_id, m.mode from store cross join (values ('live'), ('sandbox')) as m (mode)) s
    full join b on b.store_id = s.store_id and b.mode = s.mode
    where s.store_id is null or b.store_id is null`,
  'every time is plausible': IMPLAUSIBLE_TIMES.join(`
    union all`),
  'no balance is below zero': `
    select format('store %s %s', store_id, mode) as subject, '0 or more' as expected,
      least(balance, fees, gifts)::text as found
    from store_balance
    where least(balance, fees, gifts) < 0
    union all
    select format('wallet %s %s', wallet_id, currency), '0 or more', balance::text
    from wallet_balance
    where balance < 0`,
})
const NEW_TOTALS = totalChecks(SEALED)
const FULL_TOTALS = totalChecks(ARCHIVED)

const differentUsage = (usage: string, expected: string) => `
  select format('%s of %s, store %s %s', coalesce(u.period, p.period), coalesce(u.starts, p.starts),
      coalesce(u.store_id, p.store_id), coalesce(u.mode, p.mode)) as subject,
    coalesce(p.used, 0)::text as expected, coalesce(u.used::text, 'no row') as found
  from (${usage}) u
  full join (${expected}) p
    on p.store_id = u.store_id and p.mode = u.mode and p.period = u.period and p.starts = u.starts
  where u.used is distinct from coalesce(p.used, 0)`

const usedBy = (condition: string) => `
  select k.store_id, k.mode, d.period, d.starts, sum(k.gross) as used
  from (
    select p.store_id, p.mode, p.usage_day, p.usage_month, sum(p.gross) as gross
    from payment p
    where p.status in ('pending', 'completed', 'refunded') and ${condition}
    group by p.store_id, p.mode, p.usage_day, p.usage_month
  ) k
  cross join lateral (values ('day', k.usage_day), ('month', k.usage_month)) as d (period, starts)
  group by k.store_id, k.mode, d.period, d.starts`

const USAGE = 'usage equals its payments'

/**
 * The first day of usage that may still change after everything before $2 is sealed. A day in a store's time zone ends up
 * to 12 hours after the day in UTC, and its payments expire up to 24 hours later.
 */
const OPEN_USAGE = `(($2::timestamptz - interval '2 days') at time zone 'UTC')::date`
// A day in a store's time zone begins up to 14 hours before the day in UTC.
const OPEN_PAYMENTS = `p.expires_at >= $2::timestamptz - interval '3 days'`

const FULL_USAGE = differentUsage('select * from usage', usedBy('true'))

/** Days that may have changed are computed from payments, and every month from its days. */
const NEW_USAGE = `
  ${differentUsage(
    `select * from usage where period = 'day' and starts >= ${OPEN_USAGE}`,
    `select * from (${usedBy(`${OPEN_PAYMENTS} and p.usage_day >= ${OPEN_USAGE}`)}) o where o.period = 'day'`,
  )}
  union all
  ${differentUsage(
    `select * from usage where period = 'month'`,
    `select store_id, mode, 'month' as period, date_trunc('month', starts::timestamp)::date as starts,
       sum(used) as used
     from usage
     where period = 'day'
     group by store_id, mode, date_trunc('month', starts::timestamp)::date`,
  )}`

/** Checks of the rows in the range. */
const ROW_CHECKS: Record<string, string> = paymentRowChecks(inRange)

export const TOTAL_CHECK_NAMES = [...Object.keys(FULL_TOTALS), USAGE]
export const ROW_CHECK_NAMES = Object.keys(ROW_CHECKS)

/** Runs a check of totals or of rows. */
export async function runCheck(tx: Tx, name: string, range: LedgerRange): Promise<Finding[]> {
  const isFull = range.from === '-infinity'
  const usage = isFull ? FULL_USAGE : NEW_USAGE
  const totals = isFull ? FULL_TOTALS : NEW_TOTALS
  const query = name === USAGE ? usage : (totals[name] ?? ROW_CHECKS[name])
  return tx.query<Finding>(
    `select $1::text as check, c.subject, c.expected, c.found
     from (${query}) c
     where $2::timestamptz is not null and $3::timestamptz is not null
     ${FIRST_FINDINGS}`,
    [name, range.from, range.to],
  )
}

export type LedgerTotals = { payments: bigint; transfers: bigint; walletTransfers: bigint }

export async function countTransfers(tx: Tx, table: 'transfer' | 'wallet_transfer', since: string) {
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count from ${table} where at >= $1::timestamptz`,
    [since],
  )
  return rows[0]!.count
}

/** How many payments expire at or after this time, and the first and the last plausible time at which they do. */
export async function readExtent(tx: Tx, since: string) {
  const isPlausible = `expires_at >= ${FIRST_TIME} and expires_at < ${TIMES_END}`
  const rows = await tx.query<{ payments: bigint; first: Date | null; last: Date | null }>(
    `select count(*) as payments, min(expires_at) filter (where ${isPlausible}) as first,
       max(expires_at) filter (where ${isPlausible}) as last
     from payment
     where expires_at >= $1::timestamptz`,
    [since],
  )
  return rows[0]!
}
