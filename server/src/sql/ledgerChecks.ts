import { CURRENCY_CODES, type CurrencyCode, decimalsOf } from '../core/currencies.ts'
import type { StoreId, WalletNumber } from '../core/ids.ts'
import { RATE_ONE } from '../core/money.ts'
import type { Tx } from '../database/database.ts'

/** An inconsistency in the rows. */
export type Finding = {
  readonly check: string
  readonly subject: string
  readonly expected: string
  readonly found: string
}

export const MAX_FINDINGS = 100

// On a cluster each machine checks its own rows. So tables are joined only by their distribution column, each branch
// of a union returns only inconsistent rows, and a number is cast to text explicitly, because PostgreSQL treats
// `'store:' || 1` as dependent on settings.

// The transfers that a payment must have, computed from its row.
const EXPECTED_TRANSFERS = `
  select p.store_id, p.payment_id as reference, t.kind, p.mode, t.debit, t.credit, t.amount, p.currency, t.at
  from payment p
  cross join lateral (values
    ('payment', 'wallet:' || p.wallet_id::text, 'store:' || p.store_id::text, p.gross, p.settled_at),
    ('fee', 'store:' || p.store_id::text, 'fees:' || p.store_id::text, p.fee, p.settled_at),
    ('donation', 'wallet:' || p.wallet_id::text, 'gifts:' || p.store_id::text, p.donation, p.settled_at),
    ('refund', 'store:' || p.store_id::text, 'wallet:' || p.wallet_id::text, p.gross - p.refund_fee, p.refunded_at),
    ('refund_fee', 'store:' || p.store_id::text, 'fees:' || p.store_id::text,
      p.refund_fee - coalesce(p.refund_fee_waived, 0), p.refunded_at)
  ) as t (kind, debit, credit, amount, at)
  where t.amount > 0
    and (p.status = 'refunded' or (p.status = 'completed' and t.kind in ('payment', 'fee', 'donation')))`

const STORE_ACCOUNTS = `
  select t.store_id, t.mode, a.account, sum(a.amount) as amount
  from transfer t
  cross join lateral (values (t.debit, -t.amount), (t.credit, t.amount)) as a (account, amount)
  group by t.store_id, t.mode, a.account`

const fields = (t: string) =>
  ['amount', 'currency', 'debit', 'credit', 'mode', 'at'].map((field) => `${t}.${field}`).join(', ')
const shown = (t: string) =>
  `case when ${t}.kind is null then 'none' else format('%s %s from %s to %s, %s, %s', ${fields(t)}) end`

const codesWith = (decimals: number) =>
  CURRENCY_CODES.filter((code) => decimalsOf(code as CurrencyCode) === decimals)
    .map((code) => `'${code}'`)
    .join(', ')
const minorUnits = (currency: string) =>
  `case when ${currency} in (${codesWith(0)}) then 1 when ${currency} in (${codesWith(3)}) then 1000 else 100 end`

const DIVIDEND = `p.request_amount::numeric * p.conversion_rate * ${minorUnits('p.currency')}`
const DIVISOR = `(${RATE_ONE}::numeric * ${minorUnits('p.request_currency')})`
const GROSS = `div(2 * ${DIVIDEND} + ${DIVISOR}, 2 * ${DIVISOR})`

const SIDE =
  'x.store_id, x.reference, x.kind, x.mode, x.debit, x.credit, x.amount, x.currency, x.at'
const IS_OF_PAYMENT = `x.kind in ('payment', 'donation', 'refund')`

const differences = (stores: string, wallets: string) => `
  with t as (select ${SIDE} from ${stores}), w as (select ${SIDE}, x.wallet_id from ${wallets})
  select format('%s of payment %s', coalesce(t.kind, w.kind), coalesce(t.reference, w.reference)) as subject,
    ${shown('t')} as expected, ${shown('w')} as found,
    coalesce(t.store_id, w.store_id) as "storeId", coalesce(t.reference, w.reference) as reference,
    w.wallet_id as "walletId", t.debit, t.credit
  from t
  full join w on w.store_id = t.store_id and w.reference = t.reference and w.kind = t.kind
  where (${fields('t')}) is distinct from (${fields('w')})`

const isNotExternal = (incoming: string, owner: 'store' | 'wallet') => `
  (debit, credit) is distinct from (
    case when kind = '${incoming}' then 'external' else '${owner}:' || ${owner}_id::text end,
    case when kind = '${incoming}' then '${owner}:' || ${owner}_id::text else 'external' end)`

/** The only check that compares stores with wallets, which may be on different machines. */
export const BOTH_SIDES = 'both sides of a transfer agree'

/** The only check that compares a replicated table with a distributed one. */
export const STORE_BALANCES = 'every store has its balances, and every balance its store'

const storeAccountCheck = (account: 'store' | 'fees' | 'gifts', column: string) => `
  select format('${account === 'store' ? '' : `${account} of `}store %s %s', coalesce(b.store_id, s.store_id),
      coalesce(b.mode, s.mode)) as subject,
    coalesce(s.amount, 0)::text as expected, coalesce(b.${column}::text, 'no row') as found
  from store_balance b
  full join (select * from (${STORE_ACCOUNTS}) x where account like '${account}:%') s
    on s.store_id = b.store_id and s.mode = b.mode and s.account = '${account}:' || b.store_id::text
  where b.${column} is distinct from coalesce(s.amount, 0)`

/** Each query returns one row per inconsistency. */
const CHECKS: Record<string, string> = {
  'store balance equals its transfers': storeAccountCheck('store', 'balance'),
  'collected fees equal their transfers': storeAccountCheck('fees', 'fees'),
  'collected donations equal their transfers': storeAccountCheck('gifts', 'gifts'),
  'wallet balance equals its transfers': `
    select format('wallet %s %s', coalesce(b.wallet_id, w.wallet_id), coalesce(b.currency, w.currency)) as subject,
      coalesce(w.amount, 0)::text as expected, coalesce(b.balance::text, 'no row') as found
    from wallet_balance b
    full join (
      select t.wallet_id, t.currency,
        sum(case 'wallet:' || t.wallet_id::text when t.credit then t.amount when t.debit then -t.amount end) as amount
      from wallet_transfer t
      group by t.wallet_id, t.currency
    ) w on w.wallet_id = b.wallet_id and w.currency = b.currency
    where b.balance is distinct from coalesce(w.amount, 0)`,
  'every payment has exactly its transfers': `
    select format('%s of payment %s', coalesce(e.kind, t.kind), coalesce(e.reference, t.reference)) as subject,
      ${shown('e')} as expected, ${shown('t')} as found
    from (${EXPECTED_TRANSFERS}) e
    full join (select * from transfer where kind not in ('funding', 'payout')) t
      on t.store_id = e.store_id and t.reference = e.reference and t.kind = e.kind
    where (${fields('e')}) is distinct from (${fields('t')})`,
  'a statement has only transfers of its wallet': `
    select format('%s %s in the statement of wallet %s', t.kind, t.reference, t.wallet_id) as subject,
      format('from or to wallet:%s', t.wallet_id) as expected,
      format('from %s to %s', t.debit, t.credit) as found
    from wallet_transfer t
    where 'wallet:' || t.wallet_id::text not in (t.debit, t.credit)`,
  'money enters and leaves only through the external account': `
    select format('%s %s', t.kind, t.reference) as subject,
      'from or to external' as expected, format('from %s to %s', t.debit, t.credit) as found
    from (
      select kind, reference, debit, credit
      from transfer
      where kind in ('funding', 'payout') and ${isNotExternal('funding', 'store')}
      union all
      select kind, reference, debit, credit
      from wallet_transfer
      where kind in ('top_up', 'withdrawal') and ${isNotExternal('top_up', 'wallet')}
    ) t`,
  'usage equals its payments': `
    select format('%s of %s, store %s %s', coalesce(u.period, p.period), coalesce(u.starts, p.starts),
        coalesce(u.store_id, p.store_id), coalesce(u.mode, p.mode)) as subject,
      coalesce(p.used, 0)::text as expected, coalesce(u.used::text, 'no row') as found
    from usage u
    full join (
      select p.store_id, p.mode, d.period, d.starts, sum(p.gross) as used
      from payment p
      cross join lateral (values ('day', p.usage_day), ('month', p.usage_month)) as d (period, starts)
      where p.status in ('pending', 'completed', 'refunded')
      group by p.store_id, p.mode, d.period, d.starts
    ) p on p.store_id = u.store_id and p.mode = u.mode and p.period = u.period and p.starts = u.starts
    where u.used is distinct from coalesce(p.used, 0)`,
  'totals of a link equal its payments': `
    select format('link %s', coalesce(l.link_id, p.link_id)) as subject,
      format('%s payments of %s', coalesce(p.count, 0), coalesce(p.total, 0)) as expected,
      case when l.link_id is null then 'no row' else format('%s payments of %s', l.paid_count, l.paid_total) end as found
    from link l
    full join (
      select store_id, mode, link_id, count(*) as count, sum(gross) as total
      from payment
      where link_id is not null and status in ('completed', 'refunded')
      group by store_id, mode, link_id
    ) p on p.store_id = l.store_id and p.mode = l.mode and p.link_id = l.link_id
    where l.paid_count is distinct from coalesce(p.count, 0) or l.paid_total is distinct from coalesce(p.total, 0)`,
  'a wallet has only transfers of its mode': `
    select format('%s %s of wallet %s', t.kind, t.reference, t.wallet_id) as subject,
      coalesce(w.mode, 'a wallet') as expected, t.mode as found
    from wallet_transfer t
    left join wallet w on w.wallet_id = t.wallet_id
    where w.mode is distinct from t.mode`,
  'every amount is in the currency of its store': `
    select format('payment %s', p.payment_id) as subject,
      coalesce(s.currency, 'a store') as expected, p.currency as found
    from payment p
    left join store s on s.store_id = p.store_id
    where s.currency is distinct from p.currency
    union all
    select format('%s %s', t.kind, t.reference), coalesce(s.currency, 'a store'), t.currency
    from transfer t
    left join store s on s.store_id = t.store_id
    where s.currency is distinct from t.currency`,
  [STORE_BALANCES]: `
    with b as (select store_id, mode from store_balance)
    select format('store %s %s', coalesce(s.store_id, b.store_id), coalesce(s.mode, b.mode)) as subject,
      case when s.store_id is null then 'none' else 'a balance' end as expected,
      case when b.store_id is null then 'none' else 'a balance' end as found
    from (select store.store_id, m.mode from store cross join (values ('live'), ('sandbox')) as m (mode)) s
    full join b on b.store_id = s.store_id and b.mode = s.mode
    where s.store_id is null or b.store_id is null`,
  'gross equals the requested amount at its rate': `
    select format('payment %s', p.payment_id) as subject, ${GROSS}::text as expected, p.gross::text as found
    from payment p
    where p.gross <> ${GROSS}`,
  'no balance is below zero': `
    select format('store %s %s', store_id, mode) as subject, '0 or more' as expected,
      least(balance, fees, gifts)::text as found
    from store_balance
    where least(balance, fees, gifts) < 0
    union all
    select format('wallet %s %s', wallet_id, currency), '0 or more', balance::text
    from wallet_balance
    where balance < 0`,
  'a payment is consistent with its status': `
    select format('payment %s', p.payment_id) as subject,
      'a payer, times and amounts that fit its status' as expected, p.status as found
    from payment p
    where p.status not in ('pending', 'completed', 'failed', 'refunded', 'expired')
      or (p.status = 'pending') <> (p.settled_at is null)
      or (p.status in ('completed', 'refunded')) <> (p.wallet_id is not null)
      or (p.status = 'failed') <> (p.failure is not null)
      or (p.status = 'refunded') <> (p.refunded_at is not null)
      or (p.status = 'refunded') <> (p.refund_fee is not null)
      or (p.donation <> 0 and p.wallet_id is null)
      or p.fee not between 0 and p.gross
      or p.refund_fee not between 0 and p.gross - 1
      or (p.refund_fee_waived is not null and coalesce(p.refund_fee_waived not between 1 and p.refund_fee, true))
      or p.settled_at < p.created_at
      or p.refunded_at < p.settled_at`,
}

export const CHECK_NAMES = [...Object.keys(CHECKS), BOTH_SIDES]

/** Runs any check except `BOTH_SIDES`. */
export async function runCheck(tx: Tx, name: string): Promise<Finding[]> {
  return tx.query<Finding>(
    `select $1::text as check, c.subject, c.expected, c.found
     from (${CHECKS[name]}) c
     limit ${MAX_FINDINGS}`,
    [name],
  )
}

/** A difference between a store and a wallet, with the keys to check it again. */
export type Difference = Finding & {
  readonly storeId: StoreId | null
  readonly reference: string
  readonly walletId: WalletNumber | null
  readonly debit: string | null
  readonly credit: string | null
}

/** Compares both sides of the transfers of payments, except those made `within` this time. */
export async function compareSides(
  tx: Tx,
  within: { readonly from: Date; readonly until: Date } | null,
): Promise<Difference[]> {
  const outside = `${IS_OF_PAYMENT} and ($2::timestamptz is null or x.at not between $2 and $3)`
  return tx.query(
    `select $1::text as check, c.*
     from (${differences(`transfer x where ${outside}`, `wallet_transfer x where ${outside}`)}) c
     limit ${MAX_FINDINGS}`,
    [BOTH_SIDES, within?.from ?? null, within?.until ?? null],
  )
}

/** Returns the differences that still exist. Reads only their rows, by key. */
export async function recheckDifferences(tx: Tx, found: readonly Difference[]) {
  const stores = pairs(found.map((one) => [one.storeId, one.reference]))
  const wallets = pairs(found.flatMap((one) => walletsOf(one).map((id) => [id, one.reference])))
  const among = (table: string, key: string, first: number) => `
    ${table} x
    join unnest($${first}::int[], $${first + 1}::text[]) as v (id, reference)
      on v.id = x.${key} and v.reference = x.reference and x.${key} = any($${first})
    where ${IS_OF_PAYMENT}`
  return tx.query<Difference>(
    `select $1::text as check, c.*
     from (${differences(among('transfer', 'store_id', 2), among('wallet_transfer', 'wallet_id', 4))}) c
     limit ${MAX_FINDINGS}`,
    [BOTH_SIDES, ...stores, ...wallets],
  )
}

function walletsOf({ walletId, debit, credit }: Difference): number[] {
  const named = [debit, credit].map((account) => /^wallet:(\d{1,9})$/.exec(account ?? '')?.[1])
  return [walletId, ...named].filter((id) => id !== null && id !== undefined).map(Number)
}

/** The distinct pairs, as two lists. */
function pairs(all: readonly (readonly [number | null, string])[]): [(number | null)[], string[]] {
  const unique = [...new Map(all.map((pair) => [pair.join(' '), pair])).values()]
  return [unique.map(([id]) => id), unique.map(([, reference]) => reference)]
}

export type LedgerTotals = { payments: bigint; transfers: bigint; walletTransfers: bigint }

export async function countLedger(tx: Tx): Promise<LedgerTotals> {
  const count = async (table: 'payment' | 'transfer' | 'wallet_transfer') => {
    const rows = await tx.query<{ count: bigint }>(`select count(*) as count from ${table}`)
    return rows[0]!.count
  }
  return {
    payments: await count('payment'),
    transfers: await count('transfer'),
    walletTransfers: await count('wallet_transfer'),
  }
}
