import { randomUUID } from 'node:crypto'
import type { Database, Tx } from '../database/database.ts'
import { hasAuditEntry, insertAuditEntries } from '../sql/auditLog.ts'
import { databaseTime, lockAct } from '../sql/locks.ts'
import { committedOnce } from './commitOnce.ts'

/** Who acts: an operator's token by its label, somebody at the command line, or a store's person. */
export type Actor = { readonly name: string; readonly requestId: string | null }

/** What is written down of an act. */
export type Entry = {
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

export type Act<Result> = {
  readonly result: Result
  /** Null where nothing was done. */
  readonly entry: Entry | null
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
    await insertAuditEntries(tx, [recorded(actor, entry, { at, actId })])
    const proof = {
      lock: (later: Tx) => lockAct(later, actId),
      isThere: (later: Tx) => hasAuditEntry(later, actId),
    }
    return { result, proof }
  })
}

/** Writes down what people did within a batch, in its transaction. */
export async function recordActs(
  tx: Tx,
  acts: readonly { readonly by: Actor; readonly entry: Entry }[],
  at: Date,
): Promise<void> {
  const entries = acts.map(({ by, entry }) => recorded(by, entry, { at, actId: randomUUID() }))
  await insertAuditEntries(tx, entries)
}

const recorded = (actor: Actor, entry: Entry, when: { at: Date; actId: string }) => ({
  ...entry,
  ...when,
  actor: actor.name,
  requestId: actor.requestId,
})
