import { hash, verify } from '@node-rs/argon2'
import { atMost } from '../database/batch.ts'
import type { Database } from '../database/database.ts'
import { lockSignInGuard, setSignInGuard } from '../store/sessions.ts'

const FREE_TRIES = 5
const FIRST_LOCK_MS = 15 * 60_000
const LONGEST_LOCK_MS = 24 * 3_600_000

/** A hash takes a core for a while, so few are made at a time and not many may wait. */
const hashing = atMost({ running: 2, waiting: 100 })

/** How long a name is closed after so many wrong secrets in a row: twice as long each time. */
export function lockMs(failures: number): number {
  if (failures < FREE_TRIES) return 0
  return Math.min(FIRST_LOCK_MS * 2 ** (failures - FREE_TRIES), LONGEST_LOCK_MS)
}

export type Try = { readonly mayTry: boolean; readonly lockedUntil: Date | null }

/**
 * Each try is counted as wrong before it is looked at, and is to be forgiven afterwards by
 * `clearSignInGuard` if it was right. So many tries at once are no way around the lock, and no
 * transaction waits for a slow hash. Names that nobody has go the same way.
 */
export async function beginTry(database: Database, subject: string): Promise<Try> {
  return database.transaction(async (tx) => {
    const { at, ...guard } = await lockSignInGuard(tx, subject)
    if (guard.lockedUntil !== null && guard.lockedUntil > at) return { ...guard, mayTry: false }
    const failures = guard.failures + 1
    const lockedMs = lockMs(failures)
    const lockedUntil = lockedMs === 0 ? null : new Date(at.getTime() + lockedMs)
    await setSignInGuard(tx, subject, { failures, lockedUntil, at })
    return { mayTry: true, lockedUntil }
  })
}

/** Takes the same time where there is no hash to compare with, and then never says yes. */
export async function isSecretOf(kept: string | null, secret: string): Promise<boolean> {
  const isRight = await hashing(async () => verify(kept ?? (await decoyHash), secret))
  return isRight && kept !== null
}

const decoyHash = hash('nobody has this secret')
