import { ERASED_PAYER } from '../core/erasure.ts'
import type { PaymentId, StoreId, WalletNumber } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import { wordsText } from '../core/searchWords.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'
import { type EventKey, eventKeyArrays, EVENT_KEYS as KEYS, type PaymentEvent } from './events.ts'
import { findPayments } from './payments.ts'
import { shardFilter } from './shards.ts'
import type { Signup } from './walletActivations.ts'
import type { Wallet } from './wallets.ts'

// These statements find and erase personal data. They never change the ledger, amounts or ids.

/** The row stays, because the ledger refers to it. It loses its personal data, PIN and sessions, and is locked. */
export async function eraseWallet(tx: Tx, wallet: Wallet, at: Date): Promise<void> {
  const { walletId, phone } = wallet
  const { name, email, phone: noPhone } = ERASED_PAYER
  await tx.execute(
    `update wallet
     set name = $2, email = $3, phone = $4, words = null, pin_hash = null, locked_by_operator = true, erased_at = $5,
       mail_receipts = false, favourite_stores = '{}'
     where wallet_id = $1`,
    [walletId, name, email, noPhone, at],
  )
  await tx.execute('delete from wallet_phone where phone = $2 and wallet_id = $1', [
    walletId,
    phone,
  ])
  for (const table of ['wallet_session', 'wallet_idempotency', 'wallet_failure']) {
    await tx.execute(`delete from ${table} where wallet_id = $1`, [walletId])
  }
}

/** Whether a wallet is the built-in sandbox wallet of a store. */
export async function isSandboxPayer(on: Queryable, walletId: WalletNumber): Promise<boolean> {
  const rows = await on.query('select 1 from store where sandbox_wallet_id = $1 limit 1', [
    walletId,
  ])
  return rows.length > 0
}

/** Erased wallets that received a refund later. The operator has to pay it out. */
export async function listErasedWithBalance(on: Queryable, limit: number): Promise<string[]> {
  const rows = await on.query<{ publicId: string }>(
    `select w.public_id as "publicId"
     from wallet w
     where w.erased_at is not null
       and exists (select 1 from wallet_balance b where b.wallet_id = w.wallet_id and b.balance > 0)
     order by w.wallet_id
     limit $1`,
    [limit],
  )
  return rows.map((row) => row.publicId)
}

/** The fields of a wallet's audit entries that are erased with the payer. */
export const PERSONAL_FIELDS = `'{name,email,phone}'::text[]`

/** Removes the personal data from the entries of a subject. The entries stay. */
export async function eraseFromAuditLog(tx: Tx, subject: string): Promise<void> {
  await tx.execute(
    `update audit_log
     set before = before - ${PERSONAL_FIELDS}, after = after - ${PERSONAL_FIELDS}
     where subject = $1`,
    [subject],
  )
}

/** A payer's payments whose transfers are not archived, oldest first. */
export async function listPaidPayments(
  on: Queryable,
  { walletId, after, limit }: { walletId: WalletNumber; after: PaidPayment | null; limit: number },
): Promise<PaidPayment[]> {
  return on.query<PaidPayment>(
    `select at, store_id as "storeId", reference as "paymentId"
     from wallet_transfer
     where wallet_id = $1 and kind = 'payment'
       and ($2::timestamptz is null or (at, reference) > ($2, $3::text))
     order by at, reference
     limit $4`,
    [walletId, after?.at ?? null, after?.paymentId ?? null, limit],
  )
}

export type PaidPayment = {
  readonly at: Date
  readonly storeId: StoreId
  readonly paymentId: PaymentId
}

export type StoredEvent = EventKey & Pick<PaymentEvent, 'type' | 'body' | 'url' | 'createdAt'>

/** Every event of these payments. */
export async function findEventsOfPayments(
  on: Queryable,
  payments: readonly { readonly storeId: StoreId; readonly paymentId: PaymentId }[],
): Promise<StoredEvent[]> {
  if (payments.length === 0) return []
  return on.query(
    `select e.store_id as "storeId", e.payment_id as "paymentId", e.sequence, e.type, e.body, e.url,
       e.created_at as "createdAt"
     from unnest($1::int[], $2::text[]) as v (store_id, payment_id)
     join event e
       on e.store_id = v.store_id and e.payment_id = v.payment_id ${shardFilter(on, 'e.store_id')}
     order by e.created_at, e.payment_id, e.sequence`,
    columns(payments, 'storeId', 'paymentId'),
  )
}

export async function replaceBodies(
  tx: Tx,
  events: readonly (EventKey & { readonly body: string })[],
): Promise<void> {
  if (events.length === 0) return
  await tx.execute(
    `update event e
     set body = v.body
     from ${KEYS}, $4::text[]) as v (store_id, payment_id, sequence, body)
     where e.store_id = v.store_id and e.payment_id = v.payment_id and e.sequence = v.sequence
       ${shardFilter(tx, 'e.store_id')}`,
    [...eventKeyArrays(events), events.map((event) => event.body)],
  )
}

/** The response of a receiver may repeat personal data from the event. */
export async function clearResponses(tx: Tx, events: readonly EventKey[]): Promise<void> {
  if (events.length === 0) return
  await tx.execute(
    `update delivery_attempt a
     set answer = null
     from ${KEYS}) as v (store_id, payment_id, sequence)
     where a.store_id = v.store_id and a.payment_id = v.payment_id and a.sequence = v.sequence
       and a.answer is not null ${shardFilter(tx, 'a.store_id')}`,
    eventKeyArrays(events),
  )
}

/**
 * A process that is sending one of these events has the old body, so it loses its lease and the response is not
 * stored. With `endDeliveries` they are not sent again.
 */
export async function revokeLeases(
  tx: Tx,
  events: readonly EventKey[],
  { endDeliveries }: { endDeliveries: boolean },
): Promise<void> {
  if (events.length === 0) return
  await tx.execute(
    `update delivery d
     set lease = null, leased_until = '-infinity'${endDeliveries ? ', due_at = null' : ''}
     from ${KEYS}) as v (store_id, payment_id, sequence)
     where d.store_id = v.store_id and d.payment_id = v.payment_id and d.sequence = v.sequence
       ${shardFilter(tx, 'd.store_id')}`,
    eventKeyArrays(events),
  )
}

/**
 * Erases the client, the payload and the return URL, and the words of the client from the search. With `eraseNote`, also
 * erases the merchant's note and its words. The caller holds the store's lock.
 */
export async function eraseClients(
  tx: Tx,
  payments: readonly PaymentKey[],
  { eraseNote }: { eraseNote: boolean },
): Promise<void> {
  const found = await findPayments(tx, payments)
  const words = found.map((payment) =>
    wordsText({
      referenceId: payment.referenceId,
      referenceNote: eraseNote ? null : payment.referenceNote,
      client: null,
    }),
  )
  await tx.execute(
    `update payment p
     set client = null, payload = null, return_url = null, words = v.words
       ${eraseNote ? ', reference_note = null' : ''}
     from unnest($1::int[], $2::text[], $3::text[], $4::text[]) as v (store_id, mode, payment_id, words)
     where p.store_id = v.store_id and p.mode = v.mode and p.payment_id = v.payment_id
       ${shardFilter(tx, 'p.store_id')}`,
    [...columns(found, 'storeId', 'mode', 'paymentId'), words],
  )
}

/** Deletes the activation codes of a payer, and the sign-ups with their email address or phone number. */
export async function erasePayerTraces(tx: Tx, wallet: Wallet): Promise<void> {
  const { walletId, email, phone } = wallet
  await tx.execute('delete from wallet_activation where wallet_id = $1', [walletId])
  await tx.execute('delete from wallet_signup where email = lower($1) or phone = $2', [
    email,
    phone,
  ])
}

type PayerSignup = Pick<Signup, 'name' | 'email' | 'phone' | 'createdAt'>

/** Requests for a wallet with the payer's email address or phone number. */
export async function listPayerSignups(on: Queryable, wallet: Wallet): Promise<PayerSignup[]> {
  return on.query<PayerSignup>(
    `select name, email, phone, created_at as "createdAt"
     from wallet_signup
     where email = lower($1) or phone = $2
     order by created_at`,
    [wallet.email, wallet.phone],
  )
}
