import { MODES, mintWalletId, type StoreId } from '../core/ids.ts'
import type { Role } from '../core/person.ts'
import {
  secondFactorRoles as getSecondFactorRoles,
  requireSecondFactor,
} from '../core/secondFactor.ts'
import { encryptSecret, mintWebhookSecret } from '../core/secrets.ts'
import { type Store, type StoreSettings, storeFields } from '../core/store.ts'
import { limitsContradict } from '../core/storeSettings.ts'
import type { Database, Tx } from '../database/database.ts'
import { insertStoreBalances, insertWalletBalance } from '../sql/ledger.ts'
import { lock, readDatabaseTime } from '../sql/locks.ts'
import { insertWebhookSecret } from '../sql/secrets.ts'
import { findStore, insertStore, nextStoreId, updateStore } from '../sql/stores.ts'
import { claimPhone, insertWallet, nextWalletNumber } from '../sql/wallets.ts'
import { type Actor, type Entry, inAuditedTransaction, notDone } from './auditLog.ts'
import { inStoreTransaction } from './lockQueue.ts'
import { recordSecurityEvent } from './securityEvents.ts'

export async function createStore(
  database: Database,
  actor: Actor,
  settings: StoreSettings,
  secretKey: Buffer,
): Promise<Store> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const storeId = await nextStoreId(tx)
    const createdAt = await readDatabaseTime(tx)
    const sandboxWalletId = await createSandboxPayer(tx, storeId, settings, createdAt)
    const store: Store = { ...settings, storeId, sandboxWalletId, createdAt }
    await insertStore(tx, store)
    await insertStoreBalances(tx, storeId)
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
  await insertWalletBalance(tx, walletId, settings.currency)
  return walletId
}

/** Null if the minimum would exceed the maximum. */
export async function changeStore(
  database: Database,
  actor: Actor,
  storeId: StoreId,
  { secondFactorRoles, ...changes }: Partial<Store> & { secondFactorRoles?: readonly Role[] },
): Promise<Store | null> {
  return inStoreTransaction(database, { storeId, actor }, async (tx) => {
    const at = await lock(tx, { stores: [storeId] })
    const before = (await findStore(tx, storeId))!
    const roles = secondFactorRoles ?? getSecondFactorRoles(before.secondFactorSince)
    const secondFactorSince = requireSecondFactor(before.secondFactorSince, roles, at)
    const after = { ...before, ...changes, secondFactorSince }
    if (limitsContradict(after)) return notDone(null)
    await updateStore(tx, after)
    if (secondFactorRoles !== undefined) {
      const details = { setting: 'second_factor_roles', roles }
      const event = { kind: 'setting_changed', accountId: null, storeId, details } as const
      await recordSecurityEvent(tx, actor, event, at)
    }
    return { result: after, entry: changeEntry(before, after) }
  })
}

export const changeEntry = (before: Store, after: Store): Entry => ({
  action: 'store.change',
  subject: `store:${after.storeId}`,
  before: storeFields(before),
  after: storeFields(after),
})
