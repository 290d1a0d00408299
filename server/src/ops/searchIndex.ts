import type { Database } from '../database/database.ts'
import { tryLoopLock } from '../sql/locks.ts'
import { indexNewWords } from '../sql/search.ts'

/** Indexes the words of new payments in the background, so that no create has to wait for it. */
export async function indexNewPayments(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    if (await tryLoopLock(tx, 'searchIndex')) await indexNewWords(tx)
  })
}
