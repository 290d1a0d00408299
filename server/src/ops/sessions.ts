import { asWalletNumber, hashToken, mintToken, type WalletNumber } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../store/locks.ts'
import { clearSignInGuard, insertSession } from '../store/sessions.ts'
import { findWallet, findWalletByPhone, setLockedUntil, type Wallet } from '../store/wallets.ts'
import { beginTry, isSecretOf } from './signIns.ts'

const SESSION_MS = 30 * 24 * 3_600_000

export const guardSubject = (phone: string) => `wallet:${phone}`

export type SignInResult =
  | { readonly kind: 'signed_in'; readonly token: string; readonly wallet: Wallet; expiresAt: Date }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked'; readonly until: Date }

/** Numbers that no wallet has take the same time as wrong PINs. */
export async function signIn(
  database: Database,
  { phone, pin }: { phone: string; pin: string },
): Promise<SignInResult> {
  const subject = guardSubject(phone)
  const tried = await beginTry(database, subject)
  if (!tried.mayTry) return { kind: 'locked', until: tried.lockedUntil! }

  const wallet = await findWalletByPhone(database, phone)
  const isRight = await isSecretOf(wallet?.pinHash ?? null, pin)
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
