import { type ClientFilter, phoneDigits } from '../core/erasure.ts'
import type { StoreAndMode, WalletNumber } from '../core/ids.ts'
import type { Status } from '../core/payment.ts'
import type { Queryable } from '../database/database.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from './payments.ts'

/** Outcomes whose events have an index of their own, because few payments end like this. */
const RARE_EVENTS = {
  failed: 'payment.failed',
  expired: 'payment.expired',
  refunded: 'payment.refunded',
} as const
type RareOutcome = keyof typeof RARE_EVENTS

export const isRareOutcome = (status: Status | null): status is RareOutcome =>
  status !== null && status in RARE_EVENTS

/** A range of a store's payments, all of whose bounds are in an index. */
export type PaymentRange = StoreAndMode & {
  readonly referenceId: string | null
  readonly linkId: string | null
  /** Ids are ordered by time, so times and cursors are both bounds on the id. */
  readonly idFrom: string | null
  readonly idBefore: string | null
  /** Only these payments. */
  readonly ids?: readonly string[]
  /** Only payments with this outcome, and only in a range without a reference, a link or ids. */
  readonly outcome?: RareOutcome
}

/** Conditions without an index: rows are scanned for them. */
export type PaymentFilter = {
  readonly status: Status | null
  /** Of expired payments: only those that the store cancelled, or only the others. */
  readonly isCancelled: boolean | null
  readonly grossFrom: bigint | null
  readonly grossTo: bigint | null
  /** Text in the client's name, email or phone, or any of these wallets. */
  readonly payer: { readonly text: string; readonly walletIds: readonly WalletNumber[] } | null
  /** The client that the merchant sent with the payment. */
  readonly client: ClientFilter | null
}

export const NO_FILTER = {
  status: null,
  isCancelled: null,
  grossFrom: null,
  grossTo: null,
  payer: null,
  client: null,
}

function rangeQuery(range: PaymentRange) {
  const values: unknown[] = [range.storeId, range.mode]
  const bind = (value: unknown) => `$${values.push(value)}`
  const { outcome } = range
  // A literal: with a parameter, the planner could not tell that the partial index `event_rare_outcome` applies.
  const [alias, where] =
    outcome === undefined
      ? ['p', ['p.store_id = $1', 'p.mode = $2']]
      : ['e', ['e.store_id = $1', 'e.mode = $2', `e.type = '${RARE_EVENTS[outcome]}'`]]
  /** The conditions of the range use only the columns of this table. */
  const table = outcome === undefined ? 'payment p' : 'event e'
  const from =
    outcome === undefined
      ? table
      : `${table} join payment p on p.store_id = e.store_id and p.mode = e.mode and p.payment_id = e.payment_id`
  const id = `${alias}.payment_id`
  if (range.referenceId !== null) where.push(`p.reference_id = ${bind(range.referenceId)}`)
  if (range.linkId !== null) where.push(`p.link_id = ${bind(range.linkId)}`)
  if (range.idFrom !== null) where.push(`${id} >= ${bind(range.idFrom)}`)
  if (range.idBefore !== null) where.push(`${id} < ${bind(range.idBefore)}`)
  if (range.ids !== undefined) where.push(`p.payment_id = any(${bind(range.ids)})`)
  return { values, bind, where, from, table, id }
}

/** Newest first. */
export async function listPayments(
  on: Queryable,
  range: PaymentRange,
  { filter, limit }: { filter: PaymentFilter; limit: number },
): Promise<PaymentRow[]> {
  const { values, bind, where, from, id } = rangeQuery(range)
  if (filter.status !== null) where.push(statusClause(filter.status, bind))
  if (filter.isCancelled === true) where.push('p.settled_at < p.expires_at')
  // An overdue payment that is not swept yet has no time of settlement.
  if (filter.isCancelled === false) {
    where.push('(p.settled_at is null or p.settled_at >= p.expires_at)')
  }
  if (filter.grossFrom !== null) where.push(`p.gross >= ${bind(filter.grossFrom)}`)
  if (filter.grossTo !== null) where.push(`p.gross <= ${bind(filter.grossTo)}`)
  if (filter.payer !== null) {
    const client = `concat_ws(' ', p.client ->> 'name', p.client ->> 'email', p.client ->> 'phone')`
    const clientMatches = `position(lower(${bind(filter.payer.text)}) in lower(${client})) > 0`
    where.push(`(p.wallet_id = any(${bind(filter.payer.walletIds)}::int[]) or ${clientMatches})`)
  }
  if (filter.client !== null) where.push(clientClause(filter.client, bind))
  return on.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS}
     from ${from}
     where ${where.join(' and ')}
     order by ${id} desc
     limit ${bind(limit)}`,
    values,
  )
}

/** An overdue payment counts as expired, whether or not it has been swept. */
function statusClause(status: Status, bind: (value: unknown) => string): string {
  if (status === 'pending') return `p.status = 'pending' and p.expires_at > now()`
  if (status === 'expired') {
    return `(p.status = 'expired' or (p.status = 'pending' and p.expires_at <= now()))`
  }
  return `p.status = ${bind(status)}`
}

/** Matches by email or phone. The dial code may be part of the number, a separate field, or missing. */
function clientClause({ email, phone }: ClientFilter, bind: (value: unknown) => string): string {
  const alternatives: string[] = []
  if (email !== null) alternatives.push(`lower(p.client ->> 'email') = lower(${bind(email)})`)
  if (phone !== null) {
    const number = `regexp_replace(p.client ->> 'phone', '\\D', '', 'g')`
    const code = `regexp_replace(coalesce(p.client ->> 'phone_dial_code', ''), '\\D', '', 'g')`
    alternatives.push(`${bind(phoneDigits(phone))} in (${number}, ${code} || ${number})`)
  }
  return `(${alternatives.join(' or ')})`
}

/** The nth newest payment of a range; null if there are fewer. */
export async function findNthNewest(on: Queryable, range: PaymentRange, n: number) {
  const { values, bind, where, table, id } = rangeQuery(range)
  const rows = await on.query<{ paymentId: string }>(
    `select ${id} as "paymentId"
     from ${table}
     where ${where.join(' and ')}
     order by ${id} desc
     offset ${bind(n - 1)}
     limit 1`,
    values,
  )
  return rows[0]?.paymentId ?? null
}

export async function listPayers(on: Queryable, range: PaymentRange): Promise<WalletNumber[]> {
  const { values, where, from } = rangeQuery(range)
  const rows = await on.query<{ walletId: WalletNumber }>(
    `select distinct p.wallet_id as "walletId"
     from ${from}
     where ${where.join(' and ')} and p.wallet_id is not null`,
    values,
  )
  return rows.map((row) => row.walletId)
}

export async function countPayments(on: Queryable, range: PaymentRange): Promise<number> {
  const { values, where, table } = rangeQuery(range)
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     from ${table}
     where ${where.join(' and ')}`,
    values,
  )
  return rows[0]!.count
}
