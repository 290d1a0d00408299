import { signDevice, verifyDevice } from '../core/devices.ts'
import { asWalletNumber, hashToken, mintToken, type WalletNumber } from '../core/ids.ts'
import type { Database, Tx } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import { deleteSession, insertSession } from '../sql/walletSessions.ts'
import {
  findWallet,
  findWalletByPhone,
  isLockedByOperator,
  NO_WALLET,
  replacePinHash,
  setLockedUntil,
  type Wallet,
} from '../sql/wallets.ts'
import { hashPin, isPeppered, matchesPin } from './pins.ts'
import { type Admit, verifySecret } from './signIns.ts'

const SESSION_MS = 30 * 24 * 3_600_000
const DEMO_SESSION_MS = 24 * 3_600_000

export const guardSubject = (phone: string) => `wallet:${phone}`

export type PinAttempt = {
  readonly phone: string
  readonly pin: string
  /** The signed device mark that the device stored at an earlier sign-in. */
  readonly mark: string | null
  readonly secretKey: Buffer
  readonly pepper: Buffer
  readonly admit: Admit
}

export type SignedIn = {
  readonly kind: 'signed_in'
  readonly token: string
  readonly wallet: Wallet
  readonly expiresAt: Date
}
export type SignInResult =
  /** The device mark is for the device to store. */
  | (SignedIn & { readonly mark: string })
  | { readonly kind: 'wrong' | 'throttled' }
  | { readonly kind: 'locked'; readonly until: Date }

/** An unknown phone number takes as long as a wrong PIN. */
export async function signIn(database: Database, attempt: PinAttempt): Promise<SignInResult> {
  const account = guardSubject(attempt.phone)
  const signing = { key: attempt.secretKey, now: new Date() }
  const device = await deviceOf(database, attempt, signing)
  const subject = device === null ? account : `${account} ${device}`
  const admission = attempt.admit(device && subject)
  if (admission === null) return { kind: 'throttled' }
  const tried = await verifySecret(database, {
    audience: 'payer',
    account,
    subject,
    admission,
    check: (tx) => checkPin(tx, attempt),
    onLock: async (tx, until) => {
      if (device === null) await showLock(tx, attempt.phone, until)
    },
  })
  if (tried.kind !== 'right') return tried

  const { walletId, pinHash } = tried.value
  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [walletId] })
    // The PIN may have been replaced while the hash was computed.
    const wallet = await findWallet(tx, walletId)
    if (wallet === null || wallet.pinHash !== pinHash) return { kind: 'wrong' }
    if (isLockedByOperator(wallet)) return { kind: 'locked', until: wallet.lockedUntil! }
    if (device === null) await setLockedUntil(tx, walletId, null)
    const lockedUntil = device === null ? null : wallet.lockedUntil
    const opened = { ...wallet, lockedUntil }
    const signedIn = await openSession(tx, opened, { createdAt, durationMs: SESSION_MS })
    return { ...signedIn, mark: signDevice({ account, passwordHash: pinHash }, signing) }
  })
}

/** Returns the wallet and its PIN hash, or null for a wrong PIN. Adds the pepper to a hash that has none. */
async function checkPin(
  tx: Tx,
  attempt: PinAttempt,
): Promise<{ walletId: WalletNumber; pinHash: string } | null> {
  const { phone, pin, pepper } = attempt
  const wallet = await findWalletByPhone(tx, phone)
  const pinHash = wallet?.pinHash ?? null
  const isRight = await matchesPin(pinHash, pin, pepper)
  if (wallet === null || pinHash === null || !isRight) return null
  const { walletId } = wallet
  if (isPeppered(pinHash)) return { walletId, pinHash }
  const renewed = await hashPin(pin, pepper)
  const isRenewed = await replacePinHash(tx, walletId, { old: pinHash, renewed })
  // Another sign-in replaced the hash first, or the PIN was changed. Verify against the current hash, which has the
  // pepper.
  return isRenewed ? { walletId, pinHash: renewed } : checkPin(tx, attempt)
}

/** Shows the lock to the operator and the payer. */
async function showLock(tx: Tx, phone: string, until: Date): Promise<void> {
  const wallet = await findWalletByPhone(tx, phone)
  // A wallet without a PIN is a built-in sandbox wallet. It has no sign-in, so it is not locked either.
  await setLockedUntil(tx, wallet?.pinHash ? wallet.walletId : NO_WALLET, until)
}

/** Null if the device is unknown: no sign-in on it since the PIN was set. */
async function deviceOf(
  database: Database,
  { phone, mark }: PinAttempt,
  signing: { key: Buffer; now: Date },
): Promise<string | null> {
  if (mark === null) return null
  const wallet = await findWalletByPhone(database, phone)
  const passwordHash = wallet?.pinHash ?? null
  return verifyDevice(mark, { account: guardSubject(phone), passwordHash }, signing)
}

/** Needs no PIN, so it accepts only wallets without real money. */
export async function signInDemo(database: Database, walletId: WalletNumber) {
  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [walletId] })
    const wallet = await findWallet(tx, walletId)
    if (wallet?.mode !== 'sandbox' || isLockedByOperator(wallet)) return null
    return openSession(tx, wallet, { createdAt, durationMs: DEMO_SESSION_MS })
  })
}

async function openSession(
  tx: Tx,
  wallet: Wallet,
  { createdAt, durationMs }: { createdAt: Date; durationMs: number },
): Promise<SignedIn> {
  const { walletId } = wallet
  const token = mintToken(`flw_${walletId}_`)
  const expiresAt = new Date(createdAt.getTime() + durationMs)
  await insertSession(tx, { walletId, tokenHash: hashToken(token), createdAt, expiresAt })
  return { kind: 'signed_in', token, wallet, expiresAt }
}

export async function signOut(
  database: Database,
  { walletId, token }: { walletId: WalletNumber; token: string },
): Promise<void> {
  await database.transaction((tx) => deleteSession(tx, walletId, hashToken(token)))
}

/** The token contains the wallet number, which gives the shard. */
export function walletOfToken(token: string): WalletNumber | null {
  const match = /^flw_([1-9][0-9]{0,9})_[A-Za-z0-9_-]{43}$/.exec(token)
  return match ? asWalletNumber(Number(match[1])) : null
}
