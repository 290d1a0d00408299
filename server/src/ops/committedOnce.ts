import { randomUUID } from 'node:crypto'
import type { PaymentKey } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { CommitUnknown } from '../database/errors.ts'
import { keepWhatWasRead, lock, transactionId, wasRolledBack } from '../sql/locks.ts'
import { wasWritten } from '../sql/payments.ts'

/**
 * How to tell later whether a transaction was committed: by something that only it can have written.
 * It is looked for under a lock that the transaction held until its end.
 */
export type Proof = {
  readonly lock: (tx: Tx) => Promise<unknown>
  readonly isThere: (tx: Tx) => Promise<boolean>
}

/** No proof where nothing was written: then it does not matter whether it was committed. */
export type Outcome<Result> = { readonly result: Result; readonly proof: Proof | null }

/** By a payment that exists, or that carries this attempt's mark. */
export function provenBy(key: PaymentKey | undefined, attempt: string | null): Proof | null {
  if (key === undefined) return null
  return {
    lock: (tx) => lock(tx, { stores: [key.storeId] }),
    isThere: (tx) => wasWritten(tx, key, attempt),
  }
}

const LOOK_FOR_MS = 15_000

/**
 * Runs a transaction whose result is known even when the connection breaks during COMMIT. Then the
 * database is asked for the proof: found, the result stands; not found, the work is done again. It is
 * never guessed.
 */
export async function committedOnce<Result>(
  database: Database,
  work: (tx: Tx, attempt: string) => Promise<Outcome<Result>>,
): Promise<Result> {
  for (;;) {
    let outcome: Outcome<Result> | undefined
    let id: string | null = null
    try {
      return await database.transaction(async (tx) => {
        // Goes out together with the first statement of the work.
        const named = tx.isDistributed ? transactionId(tx) : null
        // Awaited below, unless the work fails first.
        named?.catch(() => {})
        outcome = await work(tx, randomUUID())
        id = await named
        return outcome.result
      })
    } catch (error) {
      if (!(error instanceof CommitUnknown) || outcome === undefined) throw error
      if (outcome.proof === null) return outcome.result
      if (await isProven(database, { proof: outcome.proof, id }, error)) return outcome.result
    }
  }
}

/**
 * On a cluster the coordinator's COMMIT is the decision, and a worker that it did not reach shows the old
 * rows until it has caught up. So there the work counts as not done only if the coordinator says so, by the
 * transaction's `id`; and as done only with the proof, because after a crash another may have got the same one.
 */
async function isProven(
  database: Database,
  { proof, id }: { proof: Proof; id: string | null },
  lost: CommitUnknown,
): Promise<boolean> {
  const deadline = performance.now() + LOOK_FOR_MS
  while (performance.now() < deadline) {
    try {
      return await database.transaction(async (tx) => {
        await proof.lock(tx)
        const isThere = await proof.isThere(tx)
        if (isThere) await keepWhatWasRead(tx)
        else if (id !== null && !(await wasRolledBack(tx, id))) throw new Error('Not known yet')
        return isThere
      })
    } catch {
      // Whatever hindered the look: only an answer ends it, because not knowing is not a no.
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  throw lost
}
