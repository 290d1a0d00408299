import type { Database, Tx } from '../database/database.ts'
import { type Loop, tryLoopLock } from '../sql/locks.ts'

const MAX_PENDING_USES = 10_000

type Use = { readonly id: string; readonly at: Date }

/**
 * Records when API keys and wallet sessions were last used. Uses are collected in memory and written together once a minute,
 * so that a request costs no write.
 */
export function createUseRecorder(
  database: Database,
  {
    now,
    loop,
    write,
  }: {
    readonly now: () => Date
    readonly loop: Loop
    readonly write: (tx: Tx, uses: readonly Use[]) => Promise<void>
  },
) {
  let pending = new Map<string, Date>()
  return {
    record(id: string): void {
      if (pending.size < MAX_PENDING_USES || pending.has(id)) pending.set(id, now())
    },
    /** Uses that could not be written stay pending. */
    async flush(): Promise<void> {
      if (pending.size === 0) return
      const taken = pending
      pending = new Map()
      let isWritten = false
      try {
        isWritten = await database.transaction(async (tx) => {
          if (!(await tryLoopLock(tx, loop))) return false
          await write(
            tx,
            [...taken].map(([id, at]) => ({ id, at })),
          )
          return true
        })
      } finally {
        if (!isWritten) pending = new Map([...taken, ...pending])
      }
    },
  }
}
