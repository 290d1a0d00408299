import { ERASED_PAYER } from '../core/erasure.ts'
import type { PaymentId, StoreId, WalletNumber } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { type EventKey, eventKeyArrays, type PaymentEvent } from './events.ts'
import { among } from './shards.ts'
import type { Wallet } from './wallets.ts'

// Nothing here touches the ledger, an amount or an id: what it writes is what people are known by.

/** The row stays, since the ledger names it. Closed for good: it has no number, PIN or session. */
export async function eraseWallet(tx: Tx, wallet: Wallet, at: Date): Promise<void> {
  const { walletId, phone } = wallet
  const { name, email, phone: noPhone } = ERASED_PAYER
  await tx.execute(
    `update wallet
     set name = $2, email = $3, phone = $4, pin_hash = null, locked_by_operator = true, erased_at = $5
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

/** Whether a wallet plays the payer of a store's sandbox, and so is nobody's. */
export async function isSandboxPayer(on: Queryable, walletId: WalletNumber): Promise<boolean> {
  const rows = await on.query('select 1 from store where sandbox_wallet_id = $1 limit 1', [
    walletId,
  ])
  return rows.length > 0
}

/** What was done stays in the log, without whom it names. */
export async function eraseFromAuditLog(tx: Tx, subject: string): Promise<void> {
  await tx.execute(
    `update audit_log
     set before = before - '{name,email,phone}'::text[], after = after - '{name,email,phone}'::text[]
     where subject = $1`,
    [subject],
  )
}

/** A payer's payments, oldest first, from one on. */
export async function listPaid(
  on: Queryable,
  { walletId, after, limit }: { walletId: WalletNumber; after: Paid | null; limit: number },
): Promise<Paid[]> {
  return on.query<Paid>(
    `select at, store_id as "storeId", reference as "paymentId"
     from wallet_transfer
     where wallet_id = $1 and kind = 'payment'
       and ($2::timestamptz is null or (at, reference) > ($2, $3::text))
     order by at, reference
     limit $4`,
    [walletId, after?.at ?? null, after?.paymentId ?? null, limit],
  )
}

export type Paid = {
  readonly at: Date
  readonly storeId: StoreId
  readonly paymentId: PaymentId
}

export type ToldEvent = EventKey & Pick<PaymentEvent, 'type' | 'body' | 'url' | 'createdAt'>

/** Every event of these payments. */
export async function findEventsOf(
  on: Queryable,
  payments: readonly { readonly storeId: StoreId; readonly paymentId: PaymentId }[],
): Promise<ToldEvent[]> {
  if (payments.length === 0) return []
  return on.query(
    `select e.store_id as "storeId", e.payment_id as "paymentId", e.sequence, e.type, e.body, e.url,
       e.created_at as "createdAt"
     from unnest($1::int[], $2::text[]) as v (store_id, payment_id)
     join event e
       on e.store_id = v.store_id and e.payment_id = v.payment_id ${among(on, 'e.store_id')}
     order by e.created_at, e.payment_id, e.sequence`,
    [payments.map((one) => one.storeId), payments.map((one) => one.paymentId)],
  )
}

const KEYS = 'unnest($1::int[], $2::text[], $3::int[]'

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
       ${among(tx, 'e.store_id')}`,
    [...eventKeyArrays(events), events.map((event) => event.body)],
  )
}

/** What the merchant's server answered may repeat what it was told. */
export async function forgetAnswers(tx: Tx, events: readonly EventKey[]): Promise<void> {
  if (events.length === 0) return
  await tx.execute(
    `update delivery_attempt a
     set answer = null
     from ${KEYS}) as v (store_id, payment_id, sequence)
     where a.store_id = v.store_id and a.payment_id = v.payment_id and a.sequence = v.sequence
       and a.answer is not null ${among(tx, 'a.store_id')}`,
    eventKeyArrays(events),
  )
}

/**
 * Who is sending one of these at this moment has what it said before, so it loses its lease: what it is
 * answered is not written down. `end`: nobody sends them any more.
 */
export async function takeBackDeliveries(
  tx: Tx,
  events: readonly EventKey[],
  { end }: { end: boolean },
): Promise<void> {
  if (events.length === 0) return
  await tx.execute(
    `update delivery d
     set lease = null, leased_until = '-infinity'${end ? ', due_at = null' : ''}
     from ${KEYS}) as v (store_id, payment_id, sequence)
     where d.store_id = v.store_id and d.payment_id = v.payment_id and d.sequence = v.sequence
       ${among(tx, 'd.store_id')}`,
    eventKeyArrays(events),
  )
}

/** `andNote`: also the merchant's own words about the payment. */
export async function forgetClients(
  tx: Tx,
  payments: readonly PaymentKey[],
  { andNote }: { andNote: boolean },
): Promise<void> {
  await tx.execute(
    `update payment p
     set client = null, payload = null, return_url = null${andNote ? ', reference_note = null' : ''}
     from unnest($1::int[], $2::text[], $3::text[]) as v (store_id, mode, payment_id)
     where p.store_id = v.store_id and p.mode = v.mode and p.payment_id = v.payment_id
       ${among(tx, 'p.store_id')}`,
    [
      payments.map((one) => one.storeId),
      payments.map((one) => one.mode),
      payments.map((one) => one.paymentId),
    ],
  )
}
