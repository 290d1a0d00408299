import type { Database } from '../database/database.ts'
import { databaseTime } from '../store/locks.ts'

/**
 * The database's time without asking for it each time. Of this machine only the ticks are used, because
 * its clock may be wrong, and may be put right at any moment.
 */
export function databaseClock(database: Database) {
  let apartMs = Date.now() - performance.now()
  return {
    now: () => new Date(performance.now() + apartMs),
    async look(): Promise<void> {
      const askedMs = performance.now()
      const at = await databaseTime(database)
      apartMs = at.getTime() - (askedMs + performance.now()) / 2
    },
  }
}
