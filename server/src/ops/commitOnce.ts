import { randomUUID } from 'node:crypto'
import type { PaymentKey } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { CommitUnknown, DatabaseUnavailable } from '../database/errors.ts'
import { lock, makeReadsDurable, readTransactionId, wasRolledBack } from '../sql/locks.ts'
import { wasCommitted } from '../sql/payments.ts'

/**
 * Finds out later whether a transaction was committed, by a row that only this transaction can have written. The
 * row is read under a lock that the transaction held until its end.
 */
type CommitProof = {
  readonly lock: (tx: Tx) => Promise<unknown>
  readonly isCommitted: (tx: Tx) => Promise<boolean>
}

/** The proof is null if nothing was written. Then only what was read must be durable. */
export type Provable<Result> = { readonly result: Result; readonly proof: CommitProof | null }

/** Proves that the payment exists or, with an attempt, that this attempt changed it. */
export function paymentProof(
  key: PaymentKey | undefined,
  attempt: string | null,
): CommitProof | null {
  if (key === undefined) return null
  return {
    lock: (tx) => lock(tx, { stores: [key.storeId] }),
    isCommitted: (tx) => wasCommitted(tx, key, attempt),
  }
}

const NOTHING_WRITTEN: CommitProof = { lock: async () => {}, isCommitted: async () => true }

const MAX_PROOF_MS = 15_000
const MAX_ATTEMPTS = 3

/**
 * Runs a transaction exactly once, even if the connection breaks during COMMIT. In that case, looks up the proof in
 * the database. If the proof exists, returns the result; otherwise runs the work again. Tries three times at most.
 */
export async function commitOnce<Result>(
  database: Database,
  work: (tx: Tx, attempt: string) => Promise<Provable<Result>>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let outcome: Provable<Result> | undefined
    let id: string | null = null
    try {
      return await database.transaction(async (tx) => {
        // Sent together with the first statement of the work.
        const pendingId = tx.isDistributed ? readTransactionId(tx) : null
        // Ignore its error if the work fails first. Otherwise it is awaited below.
        pendingId?.catch(() => {})
        outcome = await work(tx, randomUUID())
        id = await pendingId
        return outcome.result
      })
    } catch (error) {
      if (!(error instanceof CommitUnknown) || outcome === undefined) throw error
      const proof = outcome.proof ?? NOTHING_WRITTEN
      if (await isProven(database, { proof, id }, error)) return outcome.result
      if (attempt === MAX_ATTEMPTS) throw new DatabaseUnavailable(error)
    }
  }
}

/**
 * On a cluster the coordinator's COMMIT decides, and a worker that it has not reached yet shows the old rows. So
 * the work counts as not done only if the coordinator reports the transaction `id` as aborted. It counts as done
 * only with the proof, because after a crash another transaction may have the same id.
 */
async function isProven(
  database: Database,
  { proof, id }: { proof: CommitProof; id: string | null },
  error: CommitUnknown,
): Promise<boolean> {
  const deadlineMs = performance.now() + MAX_PROOF_MS
  while (performance.now() < deadlineMs) {
    try {
      return await database.transaction(async (tx) => {
        await proof.lock(tx)
        const isCommitted = await proof.isCommitted(tx)
        if (isCommitted) await makeReadsDurable(tx)
        else if (id !== null && !(await wasRolledBack(tx, id))) throw new Error('Not known yet')
        return isCommitted
      })
    } catch {
      // Retry after any error: only a successful read shows whether the transaction was committed.
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  throw error
}
