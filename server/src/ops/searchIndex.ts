import type { Database } from '../database/database.ts'
import { tryLoopLock } from '../sql/locks.ts'
import { indexNewWords } from '../sql/search.ts'

/** Indexes the words of new payments in the background. A create indexes them itself only if they take more than 2 MB. */
export async function indexNewPayments(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    if (await tryLoopLock(tx, 'searchIndex')) await indexNewWords(tx)
  })
}
