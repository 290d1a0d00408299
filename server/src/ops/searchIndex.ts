import type { Database } from '../database/database.ts'
import { tryLoopLock } from '../sql/locks.ts'
import { indexNewWords } from '../sql/search.ts'

/**
 * Indexes the words of new payments in the background. The creation of a payment indexes them itself only if the words that are
 * not indexed yet take more than 2 MB.
 */
export async function indexNewPayments(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    if (await tryLoopLock(tx, 'searchIndex')) await indexNewWords(tx)
  })
}
