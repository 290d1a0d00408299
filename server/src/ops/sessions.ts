import { deviceIn, signDevice } from '../core/devices.ts'
import { asWalletNumber, hashToken, mintToken, type WalletNumber } from '../core/ids.ts'
import type { Database, Tx } from '../database/database.ts'
import { lock } from '../store/locks.ts'
import { deleteSession, insertSession } from '../store/sessions.ts'
import {
  findWallet,
  findWalletByPhone,
  isLockedByOperator,
  NO_WALLET,
  replacePinHash,
  setLockedUntil,
  type Wallet,
} from '../store/wallets.ts'
import { hashPin, isPeppered, isPinOf } from './pins.ts'
import { type Admit, trySecret } from './signIns.ts'

const SESSION_MS = 30 * 24 * 3_600_000
const DEMO_SESSION_MS = 24 * 3_600_000

export const guardSubject = (phone: string) => `wallet:${phone}`

export type PinAttempt = {
  readonly phone: string
  readonly pin: string
  /** What the device has kept since somebody signed in there. */
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
  /** The mark is for the device to keep. */
  | (SignedIn & { readonly mark: string })
  | { readonly kind: 'wrong' | 'throttled' }
  | { readonly kind: 'locked'; readonly until: Date }

/** Numbers that no wallet has take the same time as wrong PINs. */
export async function signIn(database: Database, attempt: PinAttempt): Promise<SignInResult> {
  const account = guardSubject(attempt.phone)
  const signing = { key: attempt.secretKey, now: new Date() }
  const found = await findWalletByPhone(database, attempt.phone)
  // A wallet without a PIN plays the sandbox's payer: nobody signs in with it, so nobody locks it.
  const walletId = found?.pinHash ? found.walletId : NO_WALLET
  const owner = { account, passwordHash: found?.pinHash ?? null }
  const device = deviceIn(attempt.mark ?? '', owner, signing)
  const subject = device === null ? account : `${account} ${device}`
  const admission = attempt.admit(device && subject)
  if (admission === null) return { kind: 'throttled' }
  let pinHash: string | null = null
  const tried = await trySecret(database, {
    subject,
    admission,
    isRight: async (tx) => {
      pinHash = await checkedPinHash(tx, walletId, attempt)
      return pinHash !== null
    },
    onLock: async (tx, until) => {
      if (device === null) await setLockedUntil(tx, walletId, until)
    },
  })
  if (tried.kind === 'locked') return tried
  if (tried.kind !== 'right') return { kind: tried.kind }

  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [walletId] })
    // A PIN that was replaced while this one was being checked is no longer the right one.
    const wallet = await findWallet(tx, walletId)
    if (wallet === null || wallet.pinHash !== pinHash) return { kind: 'wrong' }
    if (isLockedByOperator(wallet)) return { kind: 'locked', until: wallet.lockedUntil! }
    if (device === null) await setLockedUntil(tx, walletId, null)
    const lockedUntil = device === null ? null : wallet.lockedUntil
    const signedIn = await begin(tx, { ...wallet, lockedUntil }, { createdAt, lastsMs: SESSION_MS })
    return { ...signedIn, mark: signDevice({ account, passwordHash: pinHash }, signing) }
  })
}

/** The hash of a right PIN, renewed with the pepper where it had none; null for a wrong PIN. */
async function checkedPinHash(
  tx: Tx,
  walletId: WalletNumber,
  { pin, pepper }: PinAttempt,
): Promise<string | null> {
  const pinHash = (await findWallet(tx, walletId))?.pinHash ?? null
  if (!(await isPinOf(pinHash, pin, pepper)) || pinHash === null) return null
  if (isPeppered(pinHash)) return pinHash
  const renewed = await hashPin(pin, pepper)
  return (await replacePinHash(tx, walletId, { old: pinHash, renewed })) ? renewed : null
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
