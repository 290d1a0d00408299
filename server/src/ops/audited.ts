import type { Database, Tx } from '../database/database.ts'
import { insertAuditEntry } from '../store/auditLog.ts'
import { databaseTime } from '../store/locks.ts'

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

/** An operator's act: what is done and the record of it are committed together. */
export async function audited<Result>(
  database: Database,
  actor: Actor,
  act: (tx: Tx) => Promise<Act<Result>>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    const { result, entry } = await act(tx)
    if (entry !== null) {
      const at = await databaseTime(tx)
      await insertAuditEntry(tx, {
        ...entry,
        at,
        actor: actor.name,
        requestId: actor.requestId,
      })
    }
    return result
  })
}
