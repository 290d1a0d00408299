import type { Database, Tx } from '../database/database.ts'
import { hasAuditEntry, insertAuditEntry } from '../store/auditLog.ts'
import { databaseTime, lockAct } from '../store/locks.ts'
import { committedOnce } from './committedOnce.ts'

/** Who acts: an operator's token by its label, or a person at the command line. */
export type Actor = { readonly name: string; readonly requestId: string | null }

export type Act<Result> = {
  readonly result: Result
  /** What is written down; null where nothing was done. */
  readonly entry: {
    readonly action: string
    readonly subject: string
    readonly before: unknown
    readonly after: unknown
  } | null
}

/**
 * An operator's act: what is done and the record of it are committed together, once. The record is
 * also the proof that is looked for when the connection breaks during COMMIT.
 */
export async function audited<Result>(
  database: Database,
  actor: Actor,
  act: (tx: Tx) => Promise<Act<Result>>,
): Promise<Result> {
  return committedOnce(database, async (tx, actId) => {
    await lockAct(tx, actId)
    const { result, entry } = await act(tx)
    if (entry === null) return { result, proof: null }
    const at = await databaseTime(tx)
    const { name, requestId } = actor
    await insertAuditEntry(tx, { ...entry, actId, at, actor: name, requestId })
    const proof = {
      lock: (later: Tx) => lockAct(later, actId),
      isThere: (later: Tx) => hasAuditEntry(later, actId),
    }
    return { result, proof }
  })
}
