import { CURRENCY_CODES, type CurrencyCode, decimalsOf } from '../core/currencies.ts'
import type { StoreId } from '../core/ids.ts'
import { RATE_ONE } from '../core/money.ts'
import { MAX_PENDING_MS } from '../core/payment.ts'
import type { Tx } from '../database/database.ts'
import { columns } from './columns.ts'
import { shardFilter } from './shards.ts'

/** A condition that selects rows by their time. */
type InRange = (column: string) => string

const COMPARED_FIELDS = ['amount', 'currency', 'debit', 'credit', 'mode', 'at'] as const

export const comparedFields = (alias: string) =>
  COMPARED_FIELDS.map((field) => `${alias}.${field}`).join(', ')
export const transferText = (alias: string) =>
  `case when ${alias}.kind is null then 'none' else format('%s %s from %s to %s, %s, %s', ${comparedFields(alias)}) end`

const PAID_KINDS = `'payment', 'fee', 'donation'`
const PAID = `(values ('payment'), ('fee'), ('donation'))`
const PAID_AND_REFUNDED = `(values ('payment'), ('fee'), ('donation'), ('refund'), ('refund_fee'))`

// The transfers that a payment must have, computed from its row. Kinds are joined as constants: a list of values with
// columns of the payment takes three times as long.
const AMOUNT = `
  case k.kind
    when 'payment' then p.gross
    when 'fee' then p.fee
    when 'donation' then p.donation
    when 'refund' then p.gross - p.refund_fee
    else p.refund_fee - coalesce(p.refund_fee_waived, 0)
  end`
const EXPECTED_AT = `case when k.kind in (${PAID_KINDS}) then p.settled_at else p.refunded_at end`
const EXPECTED_COLUMNS = `
  p.store_id, p.payment_id as reference, k.kind, p.mode, p.currency, ${AMOUNT} as amount,
  case when k.kind in ('payment', 'donation') then 'wallet:' || p.wallet_id::text
    else 'store:' || p.store_id::text end as debit,
  case k.kind
    when 'payment' then 'store:' || p.store_id::text
    when 'donation' then 'gifts:' || p.store_id::text
    when 'refund' then 'wallet:' || p.wallet_id::text
    else 'fees:' || p.store_id::text
  end as credit,
  ${EXPECTED_AT} as at`
const IS_EXPECTED = `
  ${AMOUNT} > 0
  and (p.status = 'refunded' or (p.status = 'completed' and k.kind in (${PAID_KINDS})))`

/** The transfers that payments `p` with this condition must have before a time. */
export const expectedBefore = (time: string, condition: string) => `
  select ${EXPECTED_COLUMNS}
  from payment p
  cross join ${PAID_AND_REFUNDED} as k (kind)
  where ${IS_EXPECTED} and ${EXPECTED_AT} < ${time} and ${condition}`

/** The start of the quarter of an hour that contains the time of a transfer `t`. */
export const SLOT = `date_bin('15 minutes', t.at, '2000-01-01 00:00:00+00')`

const HOUR_MS = 3_600_000
export const MAX_PENDING = `interval '${MAX_PENDING_MS / HOUR_MS} hours'`

/** The check that consists of `findSuspects` and `compareTransfers`; for archived transfers, of `compareArchivedPayments`. */
export const EXACT_TRANSFERS = 'every payment has exactly its transfers'

export type Suspect = { readonly storeId: StoreId; readonly paymentId: string }

/**
 * Returns the payments that may not have their transfers. Compares what was paid within the range, by time. Also returns payments
 * that expire in the range and need a comparison by key: those that were refunded, paid before the range, or not paid within
 * `MAX_PENDING` before they expire. A refund may be much later than the payment, so its payment is returned too, unless the range
 * in which it expires, since `refundedFrom`, returns it.
 */
export async function findSuspects(
  tx: Tx,
  { from, to }: { from: string; to: string },
  { cutoff, refundedFrom }: { cutoff: string; refundedFrom: string },
) {
  const inRange = (column: string) => `${column} >= $1::timestamptz and ${column} < $2::timestamptz`
  return tx.query<Suspect>(
    `select s.store_id as "storeId", s.reference as "paymentId"
     from (
       select coalesce(e.store_id, t.store_id) as store_id, coalesce(e.reference, t.reference) as reference
       from (
         select ${EXPECTED_COLUMNS}
         from payment p
         cross join ${PAID} as k (kind)
         where ${IS_EXPECTED}
           and p.expires_at >= $1::timestamptz and p.expires_at < $2::timestamptz + ${MAX_PENDING}
           and ${inRange('p.settled_at')} and p.settled_at >= $3::timestamptz
       ) e
       full join (select * from transfer t where t.kind in (${PAID_KINDS}) and ${inRange('t.at')}) t
         on t.store_id = e.store_id and t.reference = e.reference and t.kind = e.kind
       where (${comparedFields('e')}) is distinct from (${comparedFields('t')})
       union
       select p.store_id, p.payment_id
       from payment p
       where ${inRange('p.expires_at')}
         and (p.status = 'refunded'
           or (p.status = 'completed'
             and (p.settled_at < $1::timestamptz
               or coalesce(p.settled_at not between p.expires_at - ${MAX_PENDING} and p.expires_at, true))))
       union
       select t.store_id, t.reference
       from transfer t
       left join payment p on p.store_id = t.store_id and p.mode = t.mode and p.payment_id = t.reference
       where t.kind in ('refund', 'refund_fee') and ${inRange('t.at')}
         and (p.status = 'refunded' and p.expires_at >= $4::timestamptz and p.expires_at < 'infinity') is not true
     ) s`,
    [from, to, cutoff, refundedFrom],
  )
}

/** Compares these payments with their transfers since the cutoff, by key. Returns the differences. */
export async function compareTransfers(tx: Tx, suspects: readonly Suspect[], cutoff: string) {
  return tx.query<{ check: string; subject: string; expected: string; found: string }>(
    `select '${EXACT_TRANSFERS}' as check,
       format('%s of payment %s', coalesce(e.kind, t.kind), coalesce(e.reference, t.reference)) as subject,
       ${transferText('e')} as expected, ${transferText('t')} as found
     from (
       select ${EXPECTED_COLUMNS}
       from unnest($1::int[], $2::text[]) as s (store_id, payment_id)
       join payment p
         on p.store_id = s.store_id and p.payment_id = s.payment_id and p.mode in ('live', 'sandbox')
         ${shardFilter(tx, 'p.store_id')}
       cross join ${PAID_AND_REFUNDED} as k (kind)
       where ${IS_EXPECTED} and ${EXPECTED_AT} >= $3::timestamptz
     ) e
     full join (
       select t.*
       from unnest($1::int[], $2::text[]) as s (store_id, payment_id)
       join transfer t
         on t.store_id = s.store_id and t.reference = s.payment_id and t.kind not in ('funding', 'payout')
         ${shardFilter(tx, 't.store_id')}
     ) t on t.store_id = e.store_id and t.reference = e.reference and t.kind = e.kind
     where (${comparedFields('e')}) is distinct from (${comparedFields('t')})`,
    [...columns(suspects, 'storeId', 'paymentId'), cutoff],
  )
}

const codesWith = (decimals: number) =>
  CURRENCY_CODES.filter((code) => decimalsOf(code as CurrencyCode) === decimals)
    .map((code) => `'${code}'`)
    .join(', ')
/** Plausible times are from the first of these until just before the second. Infinite times are not. */
export const FIRST_TIME = `'2000-01-01 00:00:00+00'::timestamptz`
export const TIMES_END = `'10000-01-01 00:00:00+00'::timestamptz`
const OTHER_TIMES = 'p.created_at, p.settled_at, p.refunded_at'

const minorUnits = (currency: string) =>
  `case when ${currency} in (${codesWith(0)}) then 1 when ${currency} in (${codesWith(3)}) then 1000 else 100 end`

const DIVIDEND = `p.request_amount::numeric * p.conversion_rate * ${minorUnits('p.currency')}`
const DIVISOR = `(${RATE_ONE}::numeric * ${minorUnits('p.request_currency')})`
const GROSS = `div(2 * ${DIVIDEND} + ${DIVISOR}, 2 * ${DIVISOR})`
// Most payments are in the currency of their store, where the computation is not needed.
const IS_UNCONVERTED = `(p.request_currency = p.currency and p.conversion_rate = ${RATE_ONE} and p.gross = p.request_amount)`

const isNotExternal = (incoming: string, owner: 'store' | 'wallet') => `
  (debit, credit) is distinct from (
    case when kind = '${incoming}' then 'external' else '${owner}:' || ${owner}_id::text end,
    case when kind = '${incoming}' then '${owner}:' || ${owner}_id::text else 'external' end)`

export const paymentRowChecks = (inRange: InRange): Record<string, string> => ({
  'a statement has only transfers of its wallet': `
    select format('%s %s in the statement of wallet %s', t.kind, t.reference, t.wallet_id) as subject,
      format('from or to wallet:%s', t.wallet_id) as expected,
      format('from %s to %s', t.debit, t.credit) as found
    from wallet_transfer t
    where 'wallet:' || t.wallet_id::text not in (t.debit, t.credit) and ${inRange('t.at')}`,
  'money enters and leaves only through the external account': `
    select format('%s %s', t.kind, t.reference) as subject,
      'from or to external' as expected, format('from %s to %s', t.debit, t.credit) as found
    from (
      select kind, reference, debit, credit
      from transfer
      where kind in ('funding', 'payout') and ${isNotExternal('funding', 'store')} and ${inRange('at')}
      union all
      select kind, reference, debit, credit
      from wallet_transfer
      where kind in ('top_up', 'withdrawal') and ${isNotExternal('top_up', 'wallet')} and ${inRange('at')}
    ) t`,
  'a wallet has only transfers of its mode': `
    select format('%s %s of wallet %s', t.kind, t.reference, t.wallet_id) as subject,
      coalesce(w.mode, 'a wallet') as expected, t.mode as found
    from wallet_transfer t
    left join wallet w on w.wallet_id = t.wallet_id
    where w.mode is distinct from t.mode and ${inRange('t.at')}`,
  'every amount is in the currency of its store': `
    select format('payment %s', p.payment_id) as subject,
      coalesce(s.currency, 'a store') as expected, p.currency as found
    from payment p
    left join store s on s.store_id = p.store_id
    where s.currency is distinct from p.currency and ${inRange('p.expires_at')}
    union all
    select format('%s %s', t.kind, t.reference), coalesce(s.currency, 'a store'), t.currency
    from transfer t
    left join store s on s.store_id = t.store_id
    where s.currency is distinct from t.currency and ${inRange('t.at')}`,
  'gross equals the requested amount at its rate': `
    select format('payment %s', p.payment_id) as subject, ${GROSS}::text as expected, p.gross::text as found
    from payment p
    where not ${IS_UNCONVERTED} and p.gross <> ${GROSS} and ${inRange('p.expires_at')}`,
  'a payment is consistent with its status': `
    select format('payment %s', p.payment_id) as subject,
      'a payer, times and amounts that fit its status' as expected, p.status as found
    from payment p
    where ${inRange('p.expires_at')} and (
      p.status not in ('pending', 'completed', 'failed', 'refunded', 'expired')
      or (p.status = 'pending') <> (p.settled_at is null)
      or (p.status in ('completed', 'refunded')) <> (p.wallet_id is not null)
      or (p.status = 'failed') <> (p.failure is not null)
      or (p.status = 'refunded') <> (p.refunded_at is not null)
      or (p.status = 'refunded') <> (p.refund_fee is not null)
      or (p.donation <> 0 and p.wallet_id is null)
      or p.fee not between 0 and p.gross
      or p.refund_fee not between 0 and p.gross - 1
      or (p.refund_fee_waived is not null and coalesce(p.refund_fee_waived not between 1 and p.refund_fee, true))
      or least(${OTHER_TIMES}) < ${FIRST_TIME}
      or greatest(${OTHER_TIMES}) >= ${TIMES_END}
      or p.usage_month <> date_trunc('month', p.usage_day::timestamp)::date
    )`,
})
