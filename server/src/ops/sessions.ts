import { asWalletNumber, hashToken, mintToken, type WalletNumber } from '../core/ids.ts'
import type { Database, Tx } from '../database/database.ts'
import { lock } from '../store/locks.ts'
import { clearSignInGuard, deleteSession, insertSession } from '../store/sessions.ts'
import {
  findWallet,
  findWalletByPhone,
  isLockedByOperator,
  NO_WALLET,
  setLockedUntil,
  type Wallet,
} from '../store/wallets.ts'
import { beginTry, isSecretOf } from './signIns.ts'

const SESSION_MS = 30 * 24 * 3_600_000
const DEMO_SESSION_MS = 24 * 3_600_000

export const guardSubject = (phone: string) => `wallet:${phone}`

export type SignedIn = {
  readonly kind: 'signed_in'
  readonly token: string
  readonly wallet: Wallet
  readonly expiresAt: Date
}
export type SignInResult =
  | SignedIn
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
  if (wallet === null || !isRight) {
    const until = tried.lockedUntil
    if (until !== null) {
      // A wallet without a PIN plays the sandbox's payer: nobody signs in with it, so nobody locks it.
      const walletId = wallet?.pinHash ? wallet.walletId : NO_WALLET
      await database.transaction((tx) => setLockedUntil(tx, walletId, until))
    }
    return { kind: 'wrong' }
  }

  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [wallet.walletId] })
    // A PIN that was replaced while this one was being checked is no longer the right one.
    const current = await findWallet(tx, wallet.walletId)
    if (current?.pinHash !== wallet.pinHash) return { kind: 'wrong' }
    if (isLockedByOperator(current)) return { kind: 'locked', until: current.lockedUntil! }
    await clearSignInGuard(tx, subject)
    await setLockedUntil(tx, wallet.walletId, null)
    return begin(tx, wallet, { createdAt, lastsMs: SESSION_MS })
  })
}

/** Without a PIN, so only ever for a wallet that holds no real money. */
export async function signInDemo(
  database: Database,
  walletId: WalletNumber,
): Promise<SignedIn | null> {
  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [walletId] })
    const wallet = await findWallet(tx, walletId)
    if (wallet?.mode !== 'sandbox' || isLockedByOperator(wallet)) return null
    // Else whoever types wrong PINs could close the demo to everybody.
    await setLockedUntil(tx, walletId, null)
    return begin(tx, wallet, { createdAt, lastsMs: DEMO_SESSION_MS })
  })
}

async function begin(
  tx: Tx,
  wallet: Wallet,
  { createdAt, lastsMs }: { createdAt: Date; lastsMs: number },
): Promise<SignedIn> {
  const { walletId } = wallet
  const token = mintToken(`flw_${walletId}_`)
  const expiresAt = new Date(createdAt.getTime() + lastsMs)
  await insertSession(tx, { walletId, tokenHash: hashToken(token), createdAt, expiresAt })
  return { kind: 'signed_in', token, wallet, expiresAt }
}

export async function signOut(
  database: Database,
  { walletId, token }: { walletId: WalletNumber; token: string },
): Promise<void> {
  await database.transaction((tx) => deleteSession(tx, walletId, hashToken(token)))
}

/** The wallet's number stands in its token, so a token alone tells where to look. */
export function walletOfToken(token: string): WalletNumber | null {
  const match = /^flw_([1-9][0-9]{0,9})_[A-Za-z0-9_-]{43}$/.exec(token)
  return match ? asWalletNumber(Number(match[1])) : null
}
