import type { Store } from '../core/store.ts'
import { NEW_TILL, type Till, tillFields } from '../core/till.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import { findTill, replaceTill } from '../sql/tills.ts'
import type { Actor } from './auditLog.ts'
import { inStoreTransaction } from './lockQueue.ts'

export async function changeTill(
  database: Database,
  actor: Actor,
  { storeId, currency }: Store,
  changes: Partial<Till>,
): Promise<Till> {
  return inStoreTransaction(database, { storeId, actor }, async (tx) => {
    await lock(tx, { stores: [storeId] })
    const before = (await findTill(tx, storeId)) ?? NEW_TILL
    const after = { ...before, ...changes }
    await replaceTill(tx, storeId, after)
    return {
      result: after,
      entry: {
        action: 'till.change',
        subject: `store:${storeId}`,
        before: tillFields(before, currency),
        after: tillFields(after, currency),
      },
    }
  })
}
