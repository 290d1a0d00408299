import { type ClientSought, phoneDigits } from '../core/erasure.ts'
import type { Mode, StoreId, WalletNumber } from '../core/ids.ts'
import type { Status } from '../core/payment.ts'
import type { Queryable } from '../database/database.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from './payments.ts'

/** A stretch of a store's payments, all of whose bounds are in an index. */
export type Stretch = {
  readonly storeId: StoreId
  readonly mode: Mode
  readonly referenceId: string | null
  /** Ids are ordered by time, so times and cursors are both bounds on the id. */
  readonly idFrom: string | null
  readonly idBefore: string | null
}

/** What no index knows: rows have to be looked at for it. */
export type Sought = {
  readonly status: Status | null
  readonly grossFrom: bigint | null
  readonly grossTo: bigint | null
  /** A part of what the client is called or reached by, or any of these wallets. */
  readonly payer: { readonly text: string; readonly walletIds: readonly WalletNumber[] } | null
  /** Given by the merchant as this very client. */
  readonly client: ClientSought | null
}

export const NOTHING_SOUGHT = {
  status: null,
  grossFrom: null,
  grossTo: null,
  payer: null,
  client: null,
}

function stretchQuery(stretch: Stretch) {
  const values: unknown[] = [stretch.storeId, stretch.mode]
  const param = (value: unknown) => `$${values.push(value)}`
  const where = ['p.store_id = $1', 'p.mode = $2']
  if (stretch.referenceId !== null) where.push(`p.reference_id = ${param(stretch.referenceId)}`)
  if (stretch.idFrom !== null) where.push(`p.payment_id >= ${param(stretch.idFrom)}`)
  if (stretch.idBefore !== null) where.push(`p.payment_id < ${param(stretch.idBefore)}`)
  return { values, param, where }
}

/** Newest first. */
export async function listPayments(
  on: Queryable,
  stretch: Stretch,
  { sought, limit }: { sought: Sought; limit: number },
): Promise<PaymentRow[]> {
  const { values, param, where } = stretchQuery(stretch)
  if (sought.status !== null) where.push(statusClause(sought.status, param))
  if (sought.grossFrom !== null) where.push(`p.gross >= ${param(sought.grossFrom)}`)
  if (sought.grossTo !== null) where.push(`p.gross <= ${param(sought.grossTo)}`)
  if (sought.payer !== null) {
    const client = `concat_ws(' ', p.client ->> 'name', p.client ->> 'email', p.client ->> 'phone')`
    const isNamed = `position(lower(${param(sought.payer.text)}) in lower(${client})) > 0`
    where.push(`(p.wallet_id = any(${param(sought.payer.walletIds)}::int[]) or ${isNamed})`)
  }
  if (sought.client !== null) where.push(clientClause(sought.client, param))
  return on.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS}
     from payment p
     where ${where.join(' and ')}
     order by p.payment_id desc
     limit ${param(limit)}`,
    values,
  )
}

/** An overdue payment reads as expired, whatever the background work is doing. */
function statusClause(status: Status, param: (value: unknown) => string): string {
  if (status === 'pending') return `p.status = 'pending' and p.expires_at > now()`
  if (status === 'expired') {
    return `(p.status = 'expired' or (p.status = 'pending' and p.expires_at <= now()))`
  }
  return `p.status = ${param(status)}`
}

/** By either; a number is the same with its dial code in a field of its own, or without any. */
function clientClause({ email, phone }: ClientSought, param: (value: unknown) => string): string {
  const either: string[] = []
  if (email !== null) either.push(`lower(p.client ->> 'email') = lower(${param(email)})`)
  if (phone !== null) {
    const number = `regexp_replace(p.client ->> 'phone', '\\D', '', 'g')`
    const code = `regexp_replace(coalesce(p.client ->> 'phone_dial_code', ''), '\\D', '', 'g')`
    either.push(`${param(phoneDigits(phone))} in (${number}, ${code} || ${number})`)
  }
  return `(${either.join(' or ')})`
}

/** The last of so many payments of a stretch, newest first; null where there are fewer. */
export async function findNth(on: Queryable, stretch: Stretch, n: number): Promise<string | null> {
  const { values, param, where } = stretchQuery(stretch)
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

export async function listPayers(on: Queryable, stretch: Stretch): Promise<WalletNumber[]> {
  const { values, where } = stretchQuery(stretch)
  const rows = await on.query<{ walletId: WalletNumber }>(
    `select distinct p.wallet_id as "walletId"
     from payment p
     where ${where.join(' and ')} and p.wallet_id is not null`,
    values,
  )
  return rows.map((row) => row.walletId)
}

export async function countPayments(on: Queryable, stretch: Stretch): Promise<number> {
  const { values, where } = stretchQuery(stretch)
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     from payment p
     where ${where.join(' and ')}`,
    values,
  )
  return rows[0]!.count
}
