import type { Database } from '../database/database.ts'
import { setKeysUsed } from '../sql/credentials.ts'
import { tryLoopLock } from '../sql/locks.ts'

const MAX_NOTED = 10_000

/**
 * When keys were last used. A request only notes it down in memory; it is written for all of them
 * together, once a minute, so that no request costs a write of its own.
 */
export function createKeyUses(database: Database, now: () => Date) {
  let noted = new Map<string, Date>()
  return {
    note(apiKey: string): void {
      if (noted.size < MAX_NOTED || noted.has(apiKey)) noted.set(apiKey, now())
    },
    /** Those that could not be written wait for the next turn. */
    async flush(): Promise<void> {
      if (noted.size === 0) return
      const taken = noted
      noted = new Map()
      const isWritten = await database
        .transaction(async (tx) => {
          if (!(await tryLoopLock(tx, 'keys'))) return false
          const uses = [...taken].map(([apiKey, at]) => ({ apiKey, at }))
          await setKeysUsed(tx, uses)
          return true
        })
        .catch((error: unknown) => {
          noted = new Map([...taken, ...noted])
          throw error
        })
      if (!isWritten) noted = new Map([...taken, ...noted])
    },
  }
}
