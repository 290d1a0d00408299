import { hash, verify } from '@node-rs/argon2'
import { asWalletNumber, hashToken, mintToken, type WalletNumber } from '../core/ids.ts'
import { atMost } from '../database/batch.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../store/locks.ts'
import {
  clearSignInGuard,
  insertSession,
  lockSignInGuard,
  setSignInGuard,
} from '../store/sessions.ts'
import { findWallet, findWalletByPhone, setLockedUntil, type Wallet } from '../store/wallets.ts'

const FREE_TRIES = 5
const FIRST_LOCK_MS = 15 * 60_000
const LONGEST_LOCK_MS = 24 * 3_600_000
const SESSION_MS = 30 * 24 * 3_600_000

/** A hash takes a core for a while, so few are made at a time and not many may wait. */
const hashing = atMost({ running: 2, waiting: 100 })

export const guardSubject = (phone: string) => `wallet:${phone}`

export type SignInResult =
  | { readonly kind: 'signed_in'; readonly token: string; readonly wallet: Wallet; expiresAt: Date }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly until: Date }

/** How long a number is closed after so many wrong PINs in a row: twice as long each time. */
export function lockMs(failures: number): number {
  if (failures < FREE_TRIES) return 0
  return Math.min(FIRST_LOCK_MS * 2 ** (failures - FREE_TRIES), LONGEST_LOCK_MS)
}

/**
 * Each try is counted as wrong before it is looked at and forgiven afterwards if it was right, so
 * that many tries at once are no way around the lock, and no transaction waits for a slow hash.
 * Numbers that no wallet has go the same way and take the same time.
 */
export async function signIn(
  database: Database,
  { phone, pin }: { phone: string; pin: string },
): Promise<SignInResult> {
  const subject = guardSubject(phone)
  const tried = await database.transaction(async (tx) => {
    const guard = await lockSignInGuard(tx, subject)
    if (guard.lockedUntil !== null && guard.lockedUntil > guard.at) return guard
    const failures = guard.failures + 1
    const lockedMs = lockMs(failures)
    const lockedUntil = lockedMs === 0 ? null : new Date(guard.at.getTime() + lockedMs)
    await setSignInGuard(tx, subject, { failures, lockedUntil, at: guard.at })
    return { failures, lockedUntil, at: guard.at, mayTry: true }
  })
  if (!('mayTry' in tried)) return { kind: 'locked', until: tried.lockedUntil! }

  const wallet = await findWalletByPhone(database, phone)
  const isRight = await hashing(async () => verify(wallet?.pinHash ?? (await decoyHash), pin))
  // A wallet without a PIN plays the sandbox's payer: nobody signs in with it, so nobody locks it.
  if (wallet === null || wallet.pinHash === null) return { kind: 'wrong' }
  if (!isRight) {
    if (tried.lockedUntil !== null) {
      const until = tried.lockedUntil
      await database.transaction((tx) => setLockedUntil(tx, wallet.walletId, until))
    }
    return { kind: 'wrong' }
  }

  const token = mintToken(`flw_${wallet.walletId}_`)
  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [wallet.walletId] })
    const expiresAt = new Date(createdAt.getTime() + SESSION_MS)
    // A PIN that was replaced while this one was being checked is no longer the right one.
    const current = await findWallet(tx, wallet.walletId)
    if (current?.pinHash !== wallet.pinHash) return { kind: 'wrong' }
    await clearSignInGuard(tx, subject)
    await setLockedUntil(tx, wallet.walletId, null)
    await insertSession(tx, {
      walletId: wallet.walletId,
      tokenHash: hashToken(token),
      createdAt,
      expiresAt,
    })
    return { kind: 'signed_in', token, wallet, expiresAt }
  })
}

/** The wallet's number stands in its token, so a token alone tells where to look. */
export function walletOfToken(token: string): WalletNumber | null {
  const match = /^flw_([1-9][0-9]{0,9})_[A-Za-z0-9_-]{43}$/.exec(token)
  return match ? asWalletNumber(Number(match[1])) : null
}

const decoyHash = hash('no wallet has this PIN')
