import { hash } from 'node:crypto'
import type { StoreId } from '../core/ids.ts'
import { logoPath, type Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import { replaceLogo } from '../sql/logos.ts'
import { findStore, updateStore } from '../sql/stores.ts'
import type { Actor } from './auditLog.ts'
import { inStoreTransaction } from './lockQueue.ts'
import { changeEntry } from './stores.ts'

/** Replaces the logo. With null the store shows the default logo. */
export async function changeLogo(
  database: Database,
  actor: Actor,
  storeId: StoreId,
  png: Buffer | null,
): Promise<Store> {
  const logo = png && { hash: hash('sha256', png, 'hex').slice(0, 32), png }
  return inStoreTransaction(database, { storeId, actor }, async (tx) => {
    const at = await lock(tx, { stores: [storeId] })
    const before = (await findStore(tx, storeId))!
    const after = { ...before, logo: logo && logoPath(storeId, logo.hash) }
    await replaceLogo(tx, storeId, logo, at)
    await updateStore(tx, after)
    return { result: after, entry: changeEntry(before, after) }
  })
}
