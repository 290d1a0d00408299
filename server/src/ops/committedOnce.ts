import { randomUUID } from 'node:crypto'
import type { PaymentKey } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { CommitUnknown } from '../database/errors.ts'
import { keepWhatWasRead, lock } from '../store/locks.ts'
import { wasWritten } from '../store/payments.ts'

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
  const deadline = performance.now() + LOOK_FOR_MS
  while (performance.now() < deadline) {
    try {
      return await database.transaction(async (tx) => {
        await proof.lock(tx)
        const isThere = await proof.isThere(tx)
        if (isThere) await keepWhatWasRead(tx)
        return isThere
      })
    } catch {
      // Whatever hindered the look: only an answer ends it, because not knowing is not a no.
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  throw lost
}
