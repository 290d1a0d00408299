import type { Mode, StoreAndMode, StoreId, WalletNumber } from '../core/ids.ts'
import {
  type Failure,
  oldestPendingId,
  type Payment,
  type PaymentKey,
  type RefundTerms,
  type Status,
} from '../core/payment.ts'
import { wordsText } from '../core/searchWords.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns, unsized } from './columns.ts'
import { shardFilter } from './shards.ts'

export const PAYMENT_COLUMNS = `
  p.store_id as "storeId", p.mode, p.payment_id as "paymentId", p.qr_number as "qrNumber", p.status,
  p.gross, p.fee, p.donation, p.currency, p.request_amount as "requestAmount",
  p.request_currency as "requestCurrency", p.conversion_rate as "conversionRate", p.client,
  coalesce(p.products, '[]'::json) as products, p.payload::text as payload, p.reference_id as "referenceId",
  p.reference_note as "referenceNote", p.webhook_url as "webhookUrl", p.return_url as "returnUrl",
  p.created_at as "createdAt", p.expires_at as "expiresAt", p.usage_day as "usageDay", p.usage_month as "usageMonth",
  p.settled_at as "settledAt", p.wallet_id as "walletId", p.failure, p.refund_fee as "refundFee",
  p.refunded_at as "refundedAt", p.link_id as "linkId", p.status = 'pending' and p.expires_at <= now() as "isOverdue"`

/** `isOverdue`: still pending after its expiry time. Readers must see it as expired. */
export type PaymentRow = Payment & { readonly isOverdue: boolean }

const keyRows = (on: Queryable) =>
  `unnest($1::int[], $2::text[], ${unsized(on, '$3::text[]')}) as v (store_id, mode, payment_id)`
const BY_KEY = 'p.store_id = v.store_id and p.mode = v.mode and p.payment_id = v.payment_id'

const keyArrays = (keys: readonly PaymentKey[]) => columns(keys, 'storeId', 'mode', 'paymentId')

export async function findPayments(on: Queryable, keys: readonly PaymentKey[]) {
  return on.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS}
     from ${keyRows(on)}
     join payment p on ${BY_KEY} ${shardFilter(on, 'p.store_id')}`,
    keyArrays(keys),
  )
}

type PaymentStatus = PaymentKey & { readonly status: Status; readonly isOverdue: boolean }

export async function findStatuses(on: Queryable, keys: readonly PaymentKey[]) {
  return on.query<PaymentStatus>(
    `select p.store_id as "storeId", p.mode, p.payment_id as "paymentId", p.status,
       p.status = 'pending' and p.expires_at <= now() as "isOverdue"
     from ${keyRows(on)}
     join payment p on ${BY_KEY} ${shardFilter(on, 'p.store_id')}`,
    keyArrays(keys),
  )
}

/** The wallets that paid these payments. */
export async function findPayers(on: Queryable, keys: readonly PaymentKey[]) {
  const rows = await on.query<{ walletId: WalletNumber }>(
    `select p.wallet_id as "walletId"
     from ${keyRows(on)}
     join payment p on ${BY_KEY} ${shardFilter(on, 'p.store_id')}
     where p.wallet_id is not null`,
    keyArrays(keys),
  )
  return rows.map((row) => row.walletId)
}

/** The fees of refunds, by payment id. */
export async function findRefundFees(on: Queryable, keys: readonly PaymentKey[]) {
  if (keys.length === 0) return new Map<string, bigint>()
  const rows = await on.query<{ paymentId: string; refundFee: bigint }>(
    `select p.payment_id as "paymentId", p.refund_fee as "refundFee"
     from ${keyRows(on)}
     join payment p on ${BY_KEY} ${shardFilter(on, 'p.store_id')}
     where p.refund_fee is not null`,
    keyArrays(keys),
  )
  return new Map(rows.map((row) => [row.paymentId, row.refundFee]))
}

export type QrKey = StoreAndMode & { readonly qrNumber: bigint }

export async function findPaymentsByQr(on: Queryable, keys: readonly QrKey[]) {
  return on.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS}
     from unnest($1::int[], $2::text[], ${unsized(on, '$3::bigint[]')}) as v (store_id, mode, qr_number)
     join payment p
       on p.store_id = v.store_id and p.qr_number = v.qr_number and p.mode = v.mode
       ${shardFilter(on, 'p.store_id')}`,
    columns(keys, 'storeId', 'mode', 'qrNumber'),
  )
}

type NewRow = Payment & { readonly createdByKey: string | null }

const NEW_COLUMNS = `
  store_id, mode, payment_id, qr_number, gross, fee, currency, request_amount, request_currency,
  conversion_rate, client, products, payload, reference_id, reference_note, webhook_url, return_url,
  created_at, expires_at, usage_day, usage_month, created_by_key, words`

/** The start of an `unnest` of new payments, whose 23 arrays `newArrays` returns. */
const NEW_ROWS = `unnest(
  $1::int[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[],
  $8::bigint[], $9::text[], $10::bigint[], $11::json[], $12::json[], $13::json[], $14::text[],
  $15::text[], $16::text[], $17::text[], $18::timestamptz[], $19::timestamptz[], $20::date[],
  $21::date[], $22::text[], $23::text[]`

const newArrays = (payments: readonly NewRow[]) => [
  ...keyArrays(payments),
  ...columns(payments, 'qrNumber', 'gross', 'fee', 'currency', 'requestAmount'),
  ...columns(payments, 'requestCurrency', 'conversionRate'),
  payments.map(({ client }) => client && JSON.stringify(client)),
  payments.map(({ products }) => (products.length === 0 ? null : JSON.stringify(products))),
  ...columns(
    payments,
    'payload',
    'referenceId',
    'referenceNote',
    'webhookUrl',
    'returnUrl',
    'createdAt',
  ),
  ...columns(payments, 'expiresAt', 'usageDay', 'usageMonth', 'createdByKey'),
  payments.map(wordsText),
]

export async function insertPayments(tx: Tx, payments: readonly NewRow[]): Promise<void> {
  if (payments.length === 0) return
  const inserted = await tx.execute(
    `insert into payment (${NEW_COLUMNS}, status)
     select ${NEW_COLUMNS}, 'pending'
     from ${NEW_ROWS}) as v (${NEW_COLUMNS})`,
    newArrays(payments),
  )
  mustMatch(inserted, payments.length, 'insert payments')
}

/** Inserts payments that are created and paid in one step. */
export async function insertPaidPayments(
  tx: Tx,
  payments: readonly NewRow[],
  { at, attempt }: { at: Date; attempt: string },
): Promise<void> {
  if (payments.length === 0) return
  const inserted = await tx.execute(
    `insert into payment (${NEW_COLUMNS}, link_id, donation, wallet_id, status, settled_at, settled_by)
     select ${NEW_COLUMNS}, link_id, donation, wallet_id, 'completed', $27, $28
     from ${NEW_ROWS}, $24::text[], $25::bigint[], $26::int[])
       as v (${NEW_COLUMNS}, link_id, donation, wallet_id)`,
    [...newArrays(payments), ...columns(payments, 'linkId', 'donation', 'walletId'), at, attempt],
  )
  mustMatch(inserted, payments.length, 'insert paid payments')
}

type Reference = StoreAndMode & { readonly referenceId: string }

/** The references that a pending, paid or refunded payment uses. A pending one uses it until it expires. */
export async function findReferencesInUse(on: Queryable, references: readonly Reference[]) {
  if (references.length === 0) return []
  return on.query<Reference & { readonly until: Date | null }>(
    `select distinct p.store_id as "storeId", p.mode, p.reference_id as "referenceId",
       case when p.status = 'pending' then p.expires_at end as until
     from unnest($1::int[], $2::text[], ${unsized(on, '$3::text[]')}) as v (store_id, mode, reference_id)
     join payment p
       on p.store_id = v.store_id and p.mode = v.mode and p.reference_id = v.reference_id
     where p.status in ('completed', 'refunded', 'pending') ${shardFilter(on, 'p.store_id')}`,
    columns(references, 'storeId', 'mode', 'referenceId'),
  )
}

export type Settlement = {
  readonly payment: Payment
  readonly status: 'completed' | 'failed'
  readonly donation: bigint
  readonly walletId: WalletNumber | null
  readonly failure: Failure | null
}

export async function settlePayments(
  tx: Tx,
  settlements: readonly Settlement[],
  { at, attempt }: { at: Date; attempt: string },
): Promise<void> {
  if (settlements.length === 0) return
  const settled = await tx.execute(
    `update payment p
     set status = v.status, donation = v.donation, wallet_id = v.wallet_id, failure = v.failure,
       settled_at = $8, settled_by = $9
     from unnest($1::int[], $2::text[], ${unsized(tx, '$3::text[]')}, $4::text[], $5::bigint[], $6::int[], $7::text[])
       as v (store_id, mode, payment_id, status, donation, wallet_id, failure)
     where ${BY_KEY} and p.status = 'pending' ${shardFilter(tx, 'p.store_id')}`,
    [
      ...keyArrays(settlements.map(({ payment }) => payment)),
      ...columns(settlements, 'status', 'donation', 'walletId', 'failure'),
      at,
      attempt,
    ],
  )
  mustMatch(settled, settlements.length, 'settle payments')
}

export async function markRefunded(
  tx: Tx,
  refunds: readonly { payment: Payment; terms: RefundTerms; apiKey: string | null }[],
  { at, attempt }: { at: Date; attempt: string },
): Promise<void> {
  if (refunds.length === 0) return
  const refunded = await tx.execute(
    `update payment p
     set status = 'refunded', refund_fee = v.refund_fee, refund_fee_waived = nullif(v.waived, 0),
       refunded_by_key = v.api_key, refunded_at = $7, refunded_by = $8
     from unnest($1::int[], $2::text[], ${unsized(tx, '$3::text[]')}, $4::bigint[], $5::bigint[], $6::text[])
       as v (store_id, mode, payment_id, refund_fee, waived, api_key)
     where ${BY_KEY} and p.status = 'completed' ${shardFilter(tx, 'p.store_id')}`,
    [
      ...keyArrays(refunds.map(({ payment }) => payment)),
      refunds.map(({ terms }) => terms.fee),
      refunds.map(({ terms }) => terms.waivedFee),
      refunds.map(({ apiKey }) => apiKey),
      at,
      attempt,
    ],
  )
  mustMatch(refunded, refunds.length, 'mark refunded')
}

/** The API keys that created and refunded a payment. Null if it doesn't exist. */
export async function findPaymentKeys(on: Queryable, key: PaymentKey) {
  const rows = await on.query<{ createdByKey: string | null; refundedByKey: string | null }>(
    `select p.created_by_key as "createdByKey", p.refunded_by_key as "refundedByKey"
     from payment p
     where p.store_id = $1 and p.mode = $2 and p.payment_id = $3`,
    [key.storeId, key.mode, key.paymentId],
  )
  return rows[0] ?? null
}

/**
 * Why a payment expires. The store can cancel it before it is due. `simulated` is for the sandbox: the payment expires
 * now as if its time had come.
 */
export type ExpiryReason = 'due' | 'cancelled' | 'simulated'

/** Expires pending payments. */
export async function markExpired(
  tx: Tx,
  keys: readonly (PaymentKey & { reason: ExpiryReason })[],
  { at, attempt }: { at: Date; attempt: string },
): Promise<PaymentKey[]> {
  return tx.query<PaymentKey>(
    `update payment p
     set status = 'expired', settled_at = $5, settled_by = $6,
       expires_at = case when v.reason = 'simulated' then least(p.expires_at, $5) else p.expires_at end
     from unnest($1::int[], $2::text[], ${unsized(tx, '$3::text[]')}, $4::text[])
       as v (store_id, mode, payment_id, reason)
     where ${BY_KEY} and p.status = 'pending' and (v.reason <> 'due' or p.expires_at <= $5)
       ${shardFilter(tx, 'p.store_id')}
     returning p.store_id as "storeId", p.mode, p.payment_id as "paymentId"`,
    [...keyArrays(keys), keys.map(({ reason }) => reason), at, attempt],
  )
}

/** Whether the payment exists or, with an attempt, whether that attempt changed it. */
export async function wasCommitted(on: Queryable, key: PaymentKey, attempt: string | null) {
  const rows = await on.query(
    `select 1
     from payment p
     where p.store_id = $1 and p.mode = $2 and p.payment_id = $3
       and ($4::uuid is null or p.settled_by = $4 or p.refunded_by = $4)`,
    [key.storeId, key.mode, key.paymentId, attempt],
  )
  return rows.length > 0
}

/**
 * The gross sum of pending payments. Reads only those created in the 25 hours before `at`, the database's time, because the
 * others have expired.
 */
export async function sumPending(
  on: Queryable,
  { storeId, mode }: StoreAndMode,
  at: Date,
): Promise<bigint> {
  const rows = await on.query<{ pending: bigint }>(
    `select coalesce(sum(p.gross), 0)::bigint as pending
     from payment p
     where p.store_id = $1 and p.mode = $2 and p.status = 'pending'
       and p.expires_at > now() and p.payment_id >= $3`,
    [storeId, mode, oldestPendingId(at)],
  )
  return rows[0]!.pending
}

/** The number and gross sum of pending payments by mode, which a suspension would block. */
export async function countPending(on: Queryable, storeId: StoreId, at: Date) {
  return on.query<{ mode: Mode; count: number; gross: bigint }>(
    `select p.mode, count(*)::int as count, sum(p.gross)::bigint as gross
     from payment p
     where p.store_id = $1 and p.mode in ('live', 'sandbox') and p.status = 'pending'
       and p.expires_at > now() and p.payment_id >= $2
     group by p.mode`,
    [storeId, oldestPendingId(at)],
  )
}
