import type { CurrencyCode } from '../core/currencies.ts'
import type { Mode, StoreAndMode, StoreId, WalletNumber } from '../core/ids.ts'
import type { PaymentTransferKind, StoreDelta, Transfer, WalletDelta } from '../core/ledger.ts'
import { balanceDeltas } from '../core/ledger.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { StoreBalance } from '../core/store.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'
import { expectedBefore } from './paymentChecks.ts'
import { shardFilter } from './shards.ts'

export type WalletBalance = {
  readonly walletId: WalletNumber
  readonly currency: CurrencyCode
  readonly balance: bigint
}

export async function findStoreBalances(
  on: Queryable,
  keys: readonly StoreAndMode[],
): Promise<StoreBalance[]> {
  const unique = [...new Map(keys.map((key) => [`${key.storeId} ${key.mode}`, key])).values()]
  return on.query<StoreBalance>(
    `select b.store_id as "storeId", b.mode, b.balance, b.fees, b.gifts
     from unnest($1::int[], $2::text[]) as v (store_id, mode)
     join store_balance b
       on b.store_id = v.store_id and b.mode = v.mode ${shardFilter(on, 'b.store_id')}`,
    columns(unique, 'storeId', 'mode'),
  )
}

export async function findWalletBalances(on: Queryable, wallets: readonly WalletNumber[]) {
  return on.query<WalletBalance>(
    `select b.wallet_id as "walletId", b.currency, b.balance
     from wallet_balance b
     where b.wallet_id = any($1)
     order by b.currency`,
    [wallets],
  )
}

/** The total balances of one mode and currency, by the kind of account. */
type PlatformBalance = {
  readonly mode: Mode
  readonly currency: CurrencyCode
  readonly stores: bigint
  readonly wallets: bigint
  readonly fees: bigint
  readonly gifts: bigint
}

/** Sums balances. The ledger audit verifies that they equal the transfers. */
export async function readPlatformBalances(on: Queryable): Promise<PlatformBalance[]> {
  return on.query<PlatformBalance>(
    `select b.mode, b.currency, sum(b.stores)::bigint as stores, sum(b.wallets)::bigint as wallets,
       sum(b.fees)::bigint as fees, sum(b.gifts)::bigint as gifts
     from (
       select b.mode, s.currency, sum(b.balance) as stores, 0 as wallets, sum(b.fees) as fees,
         sum(b.gifts) as gifts
       from store_balance b
       join store s on s.store_id = b.store_id
       group by b.mode, s.currency
       union all
       select w.mode, b.currency, 0, sum(b.balance), 0, 0
       from wallet_balance b
       join wallet w on w.wallet_id = b.wallet_id
       group by w.mode, b.currency
     ) b
     group by b.mode, b.currency
     order by b.mode, b.currency`,
  )
}

export async function insertStoreBalances(tx: Tx, storeId: StoreId): Promise<void> {
  await tx.execute(
    `insert into store_balance (store_id, mode, balance)
     values ($1, 'live', 0), ($1, 'sandbox', 0)`,
    [storeId],
  )
}

/** Creates the row before the first transfer in a currency. The caller holds the wallet's lock, or has just created the wallet. */
export async function insertWalletBalance(tx: Tx, walletId: WalletNumber, currency: CurrencyCode) {
  await tx.execute('insert into wallet_balance (wallet_id, currency, balance) values ($1, $2, 0)', [
    walletId,
    currency,
  ])
}

/** A transfer between a store or wallet and the outside. */
export type FoundTransfer = Pick<Transfer, 'reference' | 'amount' | 'note'>

/** The transfer with one of these references. If there are several, that with the first reference. */
export async function findStoreTransfer(
  on: Queryable,
  { storeId, references }: { storeId: StoreId; references: readonly string[] },
): Promise<FoundTransfer | null> {
  const rows = await on.query<FoundTransfer>(
    `select reference, amount, note
     from transfer
     where store_id = $1 and reference = any($2::text[])
     order by array_position($2::text[], reference)
     limit 1`,
    [storeId, references],
  )
  return rows[0] ?? null
}

export type TransferLine = Pick<
  Transfer,
  'debit' | 'credit' | 'amount' | 'currency' | 'at' | 'note'
> & { readonly kind: PaymentTransferKind }

export async function findPaymentTransfers(
  on: Queryable,
  { storeId, mode, paymentId }: PaymentKey,
): Promise<TransferLine[]> {
  return on.query<TransferLine>(
    `select t.kind, t.debit, t.credit, t.amount, t.currency, t.at, t.note
     from transfer t
     where t.store_id = $1 and t.reference = $2 and t.mode = $3
     order by t.at, array_position(array['payment', 'fee', 'donation', 'refund', 'refund_fee'], t.kind)`,
    [storeId, paymentId, mode],
  )
}

/** The transfers of a payment before the cutoff, which are archived: computed from the payment. */
export async function findArchivedTransfers(
  on: Queryable,
  { storeId, mode, paymentId }: PaymentKey,
  cutoff: Date,
): Promise<TransferLine[]> {
  return on.query<TransferLine>(
    `select t.kind, t.debit, t.credit, t.amount, t.currency, t.at, null as note
     from (${expectedBefore('$4', 'p.store_id = $1 and p.payment_id = $2 and p.mode = $3')}) t
     order by t.at, array_position(array['payment', 'fee', 'donation', 'refund', 'refund_fee'], t.kind)`,
    [storeId, paymentId, mode, cutoff],
  )
}

/** Like `findStoreTransfer`. */
export async function findWalletTransfer(
  on: Queryable,
  { walletId, references }: { walletId: WalletNumber; references: readonly string[] },
): Promise<FoundTransfer | null> {
  const rows = await on.query<FoundTransfer>(
    `select reference, amount, note
     from wallet_transfer
     where wallet_id = $1 and reference = any($2::text[])
     order by array_position($2::text[], reference)
     limit 1`,
    [walletId, references],
  )
  return rows[0] ?? null
}

/**
 * Writes transfers and updates the balances: the only way in which money moves. Balances change by deltas, and never
 * below zero for a store or wallet. On a cluster `insert … select` makes Citus use two-phase commit even if the
 * transaction touches only one shard and the coordinator's audit log; `values` would not.
 */
export async function post(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const { stores, wallets } = balanceDeltas(transfers)
  await Promise.all([
    changeWalletBalances(tx, wallets),
    changeStoreBalances(tx, stores),
    insertTransfers(
      tx,
      'transfer',
      transfers.filter(({ storeId }) => storeId !== null),
    ),
    insertTransfers(
      tx,
      'wallet_transfer',
      transfers.filter(({ walletId }) => walletId !== null),
    ),
  ])
}

async function changeWalletBalances(tx: Tx, wallets: readonly WalletDelta[]): Promise<void> {
  if (wallets.length === 0) return
  const changed = await tx.execute(
    `update wallet_balance b
     set balance = b.balance + v.delta
     from unnest($1::int[], $2::text[], $3::bigint[]) as v (wallet_id, currency, delta)
     where b.wallet_id = v.wallet_id and b.currency = v.currency ${shardFilter(tx, 'b.wallet_id')}`,
    columns(wallets, 'walletId', 'currency', 'balance'),
  )
  mustMatch(changed, wallets.length, 'change wallet balances')
}

async function changeStoreBalances(tx: Tx, stores: readonly StoreDelta[]): Promise<void> {
  if (stores.length === 0) return
  const changed = await tx.execute(
    `update store_balance b
     set balance = b.balance + v.balance, fees = b.fees + v.fees, gifts = b.gifts + v.gifts
     from unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
       as v (store_id, mode, balance, fees, gifts)
     where b.store_id = v.store_id and b.mode = v.mode ${shardFilter(tx, 'b.store_id')}`,
    columns(stores, 'storeId', 'mode', 'balance', 'fees', 'gifts'),
  )
  mustMatch(changed, stores.length, 'change store balances')
}

async function insertTransfers(
  tx: Tx,
  table: 'transfer' | 'wallet_transfer',
  transfers: readonly Transfer[],
): Promise<void> {
  if (transfers.length === 0) return
  const names = 'reference, kind, mode, debit, credit, amount, currency, at, note, store_id'
  const walletName = table === 'wallet_transfer' ? ', wallet_id' : ''
  const inserted = await tx.execute(
    `insert into ${table} (${names}${walletName})
     select ${names}${walletName}
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[],
       $8::timestamptz[], $9::text[], $10::int[], $11::int[])
       as v (${names}, wallet_id)`,
    [
      ...columns(transfers, 'reference', 'kind', 'mode', 'debit', 'credit', 'amount', 'currency'),
      ...columns(transfers, 'at', 'note', 'storeId', 'walletId'),
    ],
  )
  mustMatch(inserted, transfers.length, `insert into ${table}`)
}
