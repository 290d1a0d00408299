import { randomUUID } from 'node:crypto'
import type { Database, Tx } from '../database/database.ts'
import { hasAuditEntry, insertAuditEntries } from '../sql/auditLog.ts'
import { lockAct, readDatabaseTime } from '../sql/locks.ts'
import { commitOnce } from './commitOnce.ts'

/**
 * The acting operator, operator token, API key, person of a store, payer, command line or demo. The name is `sign-up` for a payer
 * who opens a wallet. For a failed sign-in of staff it is the email address; `unknown` for a passkey or a phone number that
 * belongs to no account.
 */
export type Actor = {
  readonly name: string
  readonly requestId: string | null
  /** Where the request came from; absent outside requests. */
  readonly source?: Source
  /** The signed-in person or operator, where security events need it; null for a token. */
  readonly accountId?: string | null
}

/** The address and the User-Agent header of a request. */
export type Source = { readonly address: string; readonly device: string }
export const NO_SOURCE: Source = { address: '', device: '' }

export type Entry = {
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

export type AuditedResult<Result> = {
  readonly result: Result
  /** Null if nothing was done. */
  readonly entry: Entry | null
}

export const notDone = <const Result>(result: Result): AuditedResult<Result> => ({
  result,
  entry: null,
})

/**
 * Commits an action and its audit entry together, exactly once. If the connection breaks during COMMIT, the
 * entry proves that the action was committed.
 */
export async function inAuditedTransaction<Result>(
  database: Database,
  actor: Actor,
  act: (tx: Tx) => Promise<AuditedResult<Result>>,
): Promise<Result> {
  return commitOnce(database, async (tx, actId) => {
    await lockAct(tx, actId)
    const { result, entry } = await act(tx)
    if (entry === null) return { result, proof: null }
    const at = await readDatabaseTime(tx)
    await insertAuditEntries(tx, [newEntry(actor, entry, { at, actId })])
    const proof = {
      lock: (laterTx: Tx) => lockAct(laterTx, actId),
      isCommitted: (laterTx: Tx) => hasAuditEntry(laterTx, actId),
    }
    return { result, proof }
  })
}

/** Writes the audit entries of a batch, in its transaction. */
export async function recordAuditEntries(
  tx: Tx,
  entries: readonly { readonly by: Actor; readonly entry: Entry }[],
  at: Date,
): Promise<void> {
  await insertAuditEntries(
    tx,
    entries.map(({ by, entry }) => newEntry(by, entry, { at, actId: randomUUID() })),
  )
}

const newEntry = (actor: Actor, entry: Entry, id: { at: Date; actId: string }) => ({
  ...entry,
  ...id,
  actor: actor.name,
  requestId: actor.requestId,
})
