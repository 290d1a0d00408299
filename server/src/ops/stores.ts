import type { Mode, StoreId } from '../core/ids.ts'
import { hashToken, MODES, mintReference, mintWalletId } from '../core/ids.ts'
import { storeMoneyTransfer } from '../core/ledger.ts'
import { formatMinor, MAX_ACCOUNT_MINOR } from '../core/money.ts'
import { encryptSecret, mintWebhookSecret } from '../core/secrets.ts'
import type { Store, StoreSettings } from '../core/store.ts'
import { storeFields } from '../core/store.ts'
import { limitsContradict } from '../core/storeSettings.ts'
import type { Database, Tx } from '../database/database.ts'
import {
  findStoreBalances,
  findStoreTransfer,
  openStoreBalances,
  openWalletBalance,
  post,
} from '../sql/ledger.ts'
import { databaseTime, lock } from '../sql/locks.ts'
import { insertWebhookSecret } from '../sql/secrets.ts'
import { findStore, insertStore, nextStoreId, updateStore } from '../sql/stores.ts'
import { claimPhone, insertWallet, nextWalletNumber } from '../sql/wallets.ts'
import { type Actor, type Entry, inAuditedTransaction, NOT_DONE } from './auditLog.ts'

export async function createStore(
  database: Database,
  actor: Actor,
  settings: StoreSettings,
  secretKey: Buffer,
): Promise<Store> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const storeId = await nextStoreId(tx)
    const createdAt = await databaseTime(tx)
    const sandboxWalletId = await createSandboxPayer(tx, storeId, settings, createdAt)
    const store: Store = { ...settings, storeId, sandboxWalletId, createdAt }
    await insertStore(tx, store)
    await openStoreBalances(tx, storeId)
    for (const mode of MODES) {
      const encrypted = encryptSecret(mintWebhookSecret(), secretKey)
      await insertWebhookSecret(tx, { storeId, mode, encrypted, createdAt })
    }
    const after = storeFields(store)
    return {
      result: store,
      entry: { action: 'store.create', subject: `store:${storeId}`, before: null, after },
    }
  })
}

/** Creates the built-in sandbox wallet. It has no PIN, so it can't sign in. No country has the code +999. */
async function createSandboxPayer(
  tx: Tx,
  storeId: StoreId,
  settings: StoreSettings,
  createdAt: Date,
) {
  const walletId = await nextWalletNumber(tx)
  const phone = `+999${String(storeId).padStart(7, '0')}`
  await claimPhone(tx, phone, walletId)
  await insertWallet(tx, {
    walletId,
    publicId: mintWalletId(walletId),
    mode: 'sandbox',
    name: 'Sandbox Payer',
    email: `sandbox-payer-${storeId}@example.com`,
    phone,
    pinHash: null,
    locale: null,
    createdAt,
  })
  await openWalletBalance(tx, walletId, settings.currency)
  return walletId
}

/** Null if the minimum would exceed the maximum. */
export async function changeStore(
  database: Database,
  actor: Actor,
  storeId: StoreId,
  changes: Partial<Store>,
): Promise<Store | null> {
  return inAuditedTransaction(database, actor, async (tx) => {
    await lock(tx, { stores: [storeId] })
    const before = (await findStore(tx, storeId))!
    const after = { ...before, ...changes }
    if (limitsContradict(after)) return NOT_DONE
    await updateStore(tx, after)
    return { result: after, entry: changeEntry(before, after) }
  })
}

export const changeEntry = (before: Store, after: Store): Entry => ({
  action: 'store.change',
  subject: `store:${after.storeId}`,
  before: storeFields(before),
  after: storeFields(after),
})

export type MoveMoneyResult =
  | { readonly kind: 'moved'; readonly reference: string; readonly balance: bigint }
  /** The key was used before for the same move; nothing was moved again. */
  | { readonly kind: 'moved_before'; readonly reference: string; readonly balance: bigint }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'insufficient_balance'; readonly balance: bigint }
  | { readonly kind: 'balance_too_large' }

const PREFIXES = { funding: 'fnd_', payout: 'out_', top_up: 'top_', withdrawal: 'wdr_' }

/** A new reference, or one derived from the Idempotency-Key, so that a repeated request is found. */
export function referenceOf(kind: keyof typeof PREFIXES, keyed: string, at: Date | null): string {
  if (at !== null) return mintReference(PREFIXES[kind], at)
  return `${PREFIXES[kind]}${hashToken(`${kind} ${keyed}`).toString('hex').slice(0, 26)}`
}

export function repeated(isSame: boolean, reference: string, balance: bigint): MoveMoneyResult {
  return isSame ? { kind: 'moved_before', reference, balance } : { kind: 'key_reused' }
}

/** Adds money to the balance of a store, or pays it out to the merchant. */
export async function moveStoreMoney(
  database: Database,
  actor: Actor,
  move: {
    store: Store
    mode: Mode
    kind: 'funding' | 'payout'
    amount: bigint
    note: string | null
    key: string | null
  },
): Promise<MoveMoneyResult> {
  const { store, mode, kind, amount, note, key } = move
  const { storeId, currency } = store
  return inAuditedTransaction<MoveMoneyResult>(database, actor, async (tx) => {
    const at = await lock(tx, { stores: [storeId] })
    const [row] = await findStoreBalances(tx, [{ storeId, mode }])
    const reference = referenceOf(kind, `${mode} ${key}`, key === null ? at : null)
    const before = key === null ? null : await findStoreTransfer(tx, { storeId, reference, kind })
    if (before !== null) {
      const isSame = before.amount === amount
      return { result: repeated(isSame, reference, row!.balance), entry: null }
    }
    const balance = row!.balance + (kind === 'funding' ? amount : -amount)
    if (balance < 0n) {
      return { result: { kind: 'insufficient_balance', balance: row!.balance }, entry: null }
    }
    if (balance > MAX_ACCOUNT_MINOR) return { result: { kind: 'balance_too_large' }, entry: null }
    const movement = { reference, mode, currency, at, storeId, note }
    await post(tx, [storeMoneyTransfer(movement, kind, amount)])
    return {
      result: { kind: 'moved', reference, balance },
      entry: {
        action: `store.${kind}`,
        subject: `store:${storeId}`,
        before: { mode, balance: formatMinor(row!.balance, currency) },
        after: { mode, balance: formatMinor(balance, currency), reference, note },
      },
    }
  })
}
