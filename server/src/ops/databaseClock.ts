import type { Database } from '../database/database.ts'
import { databaseTime } from '../store/locks.ts'

const MAX_LOOK_MS = 1_000

/**
 * The database's time without asking for it each time. Of this machine only the ticks are used, because
 * its clock may be wrong, and may be put right at any moment.
 */
export function databaseClock(database: Database) {
  let apartMs = apart(Date.now(), performance.now())
  return {
    now: () => new Date(performance.now() + apartMs),
    async look(): Promise<void> {
      const askedMs = performance.now()
      const at = await databaseTime(database)
      // Who had to wait for the answer does not know of which moment it is.
      if (performance.now() - askedMs > MAX_LOOK_MS) return
      apartMs = apart(at.getTime(), askedMs)
    },
  }
}

/**
 * Rather a moment ahead than behind, because what has ended must not count again: from when it was asked,
 * and with the millisecond whose parts are cut off.
 */
const apart = (atMs: number, askedMs: number) => atMs + 1 - askedMs
