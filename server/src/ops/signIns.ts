import { hash, verify } from '@node-rs/argon2'
import { limitConcurrency, limitPerKey } from '../core/limitConcurrency.ts'
import type { Database, Tx } from '../database/database.ts'
import { clearSignInGuard, lockSignInGuard, setSignInGuard } from '../sql/signIns.ts'

const FREE_TRIES = 5
const FIRST_LOCK_MS = 15 * 60_000
const LONGEST_LOCK_MS = 24 * 3_600_000

/**
 * Hashing is CPU-bound, so concurrency and queue length are limited. Payers and staff (people of stores and
 * operators) have separate slots, and in each, known devices and open sessions have their own. Addresses over
 * their limit share one slot. So a flood from unknown devices doesn't delay known ones, and a flood from one
 * address doesn't delay other addresses.
 */
const overLimit = limitConcurrency({ running: 1, waiting: 50 })
const createSlots = () => ({
  known: limitConcurrency({ running: 1, waiting: 200 }),
  ordinary: limitConcurrency({ running: 1, waiting: 200 }),
  overLimit,
})
const SLOTS = { payer: createSlots(), staff: createSlots() }
type Audience = keyof typeof SLOTS

/** Attempts at one account that run or wait. More would take the slots of other accounts. */
const limitPerAccount = limitPerKey({ running: 20, waiting: 0 })

/** The slots that an attempt may use. Its failure was counted beforehand. */
export type Admission = {
  readonly slots: keyof (typeof SLOTS)[Audience]
  /** Removes the failure from the count. */
  readonly uncount: () => void
}

/** Decides whether to verify an attempt. Null refuses it. `device` is null for an unknown device. */
export type Admit = (device: string | null) => Admission | null

/** For open sessions. Failures from elsewhere don't affect them. */
export const ADMITTED: Admission = { slots: 'known', uncount: () => {} }

/** The duration of the lock after this many failures in a row. It doubles with each failure, up to a day. */
export function lockMs(failures: number): number {
  if (failures < FREE_TRIES) return 0
  return Math.min(FIRST_LOCK_MS * 2 ** (failures - FREE_TRIES), LONGEST_LOCK_MS)
}

type Verified<Value> =
  | { readonly kind: 'right'; readonly value: Value }
  | { readonly kind: 'wrong' | 'throttled' }
  | { readonly kind: 'locked'; readonly until: Date }

type SecretAttempt<Value> = {
  readonly audience: Audience
  readonly account: string
  /** Failures are counted under this name, whether or not the account exists. */
  readonly subject: string
  readonly admission: Admission
  /** Null for a wrong secret. */
  readonly check: (tx: Tx, at: Date) => Promise<Value | null>
  /** False if another secret is needed too. Earlier failures then still count. */
  readonly isComplete?: (value: Value) => boolean
  readonly onWrong?: (tx: Tx, at: Date) => Promise<void>
  readonly onLock?: (tx: Tx, until: Date, at: Date) => Promise<void>
}

/**
 * Verifies a password or PIN. Only a wrong one is counted: an attempt that gets no slot, or that fails on a
 * database error, counts neither here nor against its address. The transaction stays open while the hash is
 * computed, so that attempts at one account are serialized and can't bypass the lock. There are no more such
 * transactions than slots.
 */
export async function verifySecret<Value>(
  database: Database,
  attempt: SecretAttempt<Value>,
): Promise<Verified<Value>> {
  return inSlot(attempt, () => database.transaction((tx) => verifyOnce(tx, attempt)))
}

/** Runs an attempt in one of its slots. Only a wrong secret stays counted. */
export async function inSlot<Result extends { readonly kind: string }>(
  {
    audience,
    account,
    admission: { slots, uncount },
  }: Pick<SecretAttempt<unknown>, 'audience' | 'account' | 'admission'>,
  attempt: () => Promise<Result>,
): Promise<Result | { readonly kind: 'throttled' }> {
  try {
    const result = await limitPerAccount(`${slots} ${account}`, () =>
      SLOTS[audience][slots](attempt),
    )
    if (result.kind !== 'wrong') uncount()
    return result.kind === 'wrong' && slots === 'overLimit' ? { kind: 'throttled' } : result
  } catch (error) {
    uncount()
    throw error
  }
}

const newPasswords = limitConcurrency({ running: 1, waiting: 200 })

/** Hashes a new password. In a slot of its own, so that a flood of new passwords doesn't delay sign-ins. */
export const hashPassword = (account: string, password: string): Promise<string> =>
  inPasswordSlot(account, () => hash(password))

/** Runs work that hashes a new password. `account` is the one that requests it. */
export const inPasswordSlot = <T>(account: string, work: () => Promise<T>): Promise<T> =>
  limitPerAccount(`new password ${account}`, () => newPasswords(work))

async function verifyOnce<Value>(
  tx: Tx,
  { subject, check, isComplete, onWrong, onLock }: SecretAttempt<Value>,
): Promise<Verified<Value>> {
  const { at, ...guard } = await lockSignInGuard(tx, subject)
  if (guard.lockedUntil !== null && isInForce(guard.lockedUntil, at)) {
    return { kind: 'locked', until: guard.lockedUntil }
  }
  const value = await check(tx, at)
  if (value !== null) {
    if (isComplete?.(value) ?? true) await clearSignInGuard(tx, subject)
    return { kind: 'right', value }
  }
  const failures = guard.failures + 1
  const lockedMs = lockMs(failures)
  const lockedUntil = lockedMs === 0 ? null : new Date(at.getTime() + lockedMs)
  await setSignInGuard(tx, subject, { failures, lockedUntil, at })
  await onWrong?.(tx, at)
  if (lockedUntil !== null) await onLock?.(tx, lockedUntil, at)
  return { kind: 'wrong' }
}

/**
 * Whether a lock still applies. A lock that ends further ahead than the longest lock lasts was set before the clock was set
 * back. It would last too long, so it doesn't apply. The limit is twice the longest lock, so that a small correction of the
 * clock ends no lock.
 */
const isInForce = (until: Date, at: Date): boolean =>
  until > at && until.getTime() <= at.getTime() + 2 * LONGEST_LOCK_MS

/** Without a stored hash, returns false after the same time, so that the time doesn't reveal whether an account exists. */
export async function matchesHash(stored: string | null, secret: string): Promise<boolean> {
  const isRight = await verify(stored ?? (await decoyHash), secret)
  return isRight && stored !== null
}

const decoyHash = hash('the secret of no account')
