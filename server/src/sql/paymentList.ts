import { type ClientFilter, phoneDigits } from '../core/erasure.ts'
import type { Mode, StoreId, WalletNumber } from '../core/ids.ts'
import type { Status } from '../core/payment.ts'
import type { Queryable } from '../database/database.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from './payments.ts'

/** A range of a store's payments, all of whose bounds are in an index. */
export type PaymentRange = {
  readonly storeId: StoreId
  readonly mode: Mode
  readonly referenceId: string | null
  readonly linkId: string | null
  /** Ids are ordered by time, so times and cursors are both bounds on the id. */
  readonly idFrom: string | null
  readonly idBefore: string | null
  /** Only these payments. */
  readonly ids?: readonly string[]
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
  /** The client given by the merchant. */
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
  const param = (value: unknown) => `$${values.push(value)}`
  const where = ['p.store_id = $1', 'p.mode = $2']
  if (range.referenceId !== null) where.push(`p.reference_id = ${param(range.referenceId)}`)
  if (range.linkId !== null) where.push(`p.link_id = ${param(range.linkId)}`)
  if (range.idFrom !== null) where.push(`p.payment_id >= ${param(range.idFrom)}`)
  if (range.idBefore !== null) where.push(`p.payment_id < ${param(range.idBefore)}`)
  if (range.ids !== undefined) where.push(`p.payment_id = any(${param(range.ids)})`)
  return { values, param, where }
}

/** Newest first. */
export async function listPayments(
  on: Queryable,
  range: PaymentRange,
  { filter, limit }: { filter: PaymentFilter; limit: number },
): Promise<PaymentRow[]> {
  const { values, param, where } = rangeQuery(range)
  if (filter.status !== null) where.push(statusClause(filter.status, param))
  if (filter.isCancelled === true) where.push('p.settled_at < p.expires_at')
  // An overdue payment that is not swept yet has no time of settlement.
  if (filter.isCancelled === false) {
    where.push('(p.settled_at is null or p.settled_at >= p.expires_at)')
  }
  if (filter.grossFrom !== null) where.push(`p.gross >= ${param(filter.grossFrom)}`)
  if (filter.grossTo !== null) where.push(`p.gross <= ${param(filter.grossTo)}`)
  if (filter.payer !== null) {
    const client = `concat_ws(' ', p.client ->> 'name', p.client ->> 'email', p.client ->> 'phone')`
    const isNamed = `position(lower(${param(filter.payer.text)}) in lower(${client})) > 0`
    where.push(`(p.wallet_id = any(${param(filter.payer.walletIds)}::int[]) or ${isNamed})`)
  }
  if (filter.client !== null) where.push(clientClause(filter.client, param))
  return on.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS}
     from payment p
     where ${where.join(' and ')}
     order by p.payment_id desc
     limit ${param(limit)}`,
    values,
  )
}

/** An overdue payment counts as expired, whether or not it has been swept. */
function statusClause(status: Status, param: (value: unknown) => string): string {
  if (status === 'pending') return `p.status = 'pending' and p.expires_at > now()`
  if (status === 'expired') {
    return `(p.status = 'expired' or (p.status = 'pending' and p.expires_at <= now()))`
  }
  return `p.status = ${param(status)}`
}

/** Matches by email or phone. The dial code may be part of the number, a separate field, or missing. */
function clientClause({ email, phone }: ClientFilter, param: (value: unknown) => string): string {
  const either: string[] = []
  if (email !== null) either.push(`lower(p.client ->> 'email') = lower(${param(email)})`)
  if (phone !== null) {
    const number = `regexp_replace(p.client ->> 'phone', '\\D', '', 'g')`
    const code = `regexp_replace(coalesce(p.client ->> 'phone_dial_code', ''), '\\D', '', 'g')`
    either.push(`${param(phoneDigits(phone))} in (${number}, ${code} || ${number})`)
  }
  return `(${either.join(' or ')})`
}

/** The nth newest payment of a range; null if there are fewer. */
export async function findNthNewest(on: Queryable, range: PaymentRange, n: number) {
  const { values, param, where } = rangeQuery(range)
  const rows = await on.query<{ paymentId: string }>(
    `select p.payment_id as "paymentId"
     from payment p
     where ${where.join(' and ')}
     order by p.payment_id desc
     offset ${param(n - 1)}
     limit 1`,
    values,
  )
  return rows[0]?.paymentId ?? null
}

export async function listPayers(on: Queryable, range: PaymentRange): Promise<WalletNumber[]> {
  const { values, where } = rangeQuery(range)
  const rows = await on.query<{ walletId: WalletNumber }>(
    `select distinct p.wallet_id as "walletId"
     from payment p
     where ${where.join(' and ')} and p.wallet_id is not null`,
    values,
  )
  return rows.map((row) => row.walletId)
}

export async function countPayments(on: Queryable, range: PaymentRange): Promise<number> {
  const { values, where } = rangeQuery(range)
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     from payment p
     where ${where.join(' and ')}`,
    values,
  )
  return rows[0]!.count
}
