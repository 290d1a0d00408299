import { randomUUID } from 'node:crypto'
import type { PaymentKey } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { CommitUnknown } from '../database/database.ts'
import { lock } from '../store/locks.ts'
import { wasWritten } from '../store/payments.ts'

/** A row that exists, or carries this attempt's mark, exactly if the transaction was committed. */
export type Proof = { readonly key: PaymentKey; readonly attempt: string | null }

export type Outcome<Result> = { readonly result: Result; readonly proof: Proof | null }

const LOOK_FOR_MS = 15_000

/**
 * Runs a transaction whose result is known even when the connection breaks during COMMIT. Then the
 * database is asked for the proof, under the store's lock, which the lost transaction held until its
 * end: found, the result stands; not found, the work is done again. It is never guessed.
 */
export async function committedOnce<Result>(
  database: Database,
  work: (tx: Tx, attempt: string) => Promise<Outcome<Result>>,
): Promise<Result> {
  for (;;) {
    let outcome: Outcome<Result> | undefined
    try {
      return await database.transaction(async (tx) => {
        outcome = await work(tx, randomUUID())
        return outcome.result
      })
    } catch (error) {
      if (!(error instanceof CommitUnknown) || outcome === undefined) throw error
      if (outcome.proof === null) return outcome.result
      if (await isProven(database, outcome.proof, error)) return outcome.result
    }
  }
}

async function isProven(database: Database, proof: Proof, lost: CommitUnknown): Promise<boolean> {
  const deadline = Date.now() + LOOK_FOR_MS
  while (Date.now() < deadline) {
    try {
      return await database.transaction(async (tx) => {
        await lock(tx, { stores: [proof.key.storeId] })
        return wasWritten(tx, proof.key, proof.attempt)
      })
    } catch {
      // Whatever hindered the look: only an answer ends it, because not knowing is not a no.
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  throw lost
}
