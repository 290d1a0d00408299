import { wireTime } from '../core/calendar.ts'
import { signDevice, verifyDevice } from '../core/devices.ts'
import { asWalletNumber, hashToken, mintToken, type WalletNumber } from '../core/ids.ts'
import { guardSubject, parseSessionId, sessionIdOf } from '../core/wallet.ts'
import type { Database, Tx } from '../database/database.ts'
import { lock, readDatabaseTime } from '../sql/locks.ts'
import {
  deleteSession,
  insertSession,
  type SessionKey,
  setSessionsUsed,
} from '../sql/walletSessions.ts'
import {
  findWallet,
  findWalletByPhone,
  isLockedByOperator,
  NO_WALLET,
  replacePinHash,
  setLockedUntil,
  type Wallet,
} from '../sql/wallets.ts'
import { NO_SOURCE } from './auditLog.ts'
import { inLockQueue } from './lockQueue.ts'
import type { MailQueue } from './mail.ts'
import { type Origin, payerActor } from './payerActor.ts'
import { hashPin, isPeppered, matchesPin } from './pins.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { type Admit, verifySecret } from './signIns.ts'
import { createUseRecorder } from './useRecorder.ts'

const SESSION_MS = 30 * 24 * 3_600_000
const DEMO_SESSION_MS = 24 * 3_600_000

export type PinAttempt = {
  readonly phone: string
  readonly pin: string
  /** The signed device token that the device stored at an earlier sign-in. */
  readonly deviceToken: string | null
  readonly secretKey: Buffer
  readonly now: Date
  readonly pepper: Buffer
  readonly mail: MailQueue
  readonly origin: Origin
  readonly admit: Admit
}

export type SignedIn = {
  readonly kind: 'signed_in'
  readonly token: string
  readonly wallet: Wallet
  readonly expiresAt: Date
}
type SignInResult =
  /** The device token is for the device to store. */
  | (SignedIn & { readonly deviceToken: string })
  | { readonly kind: 'wrong' | 'throttled' }
  | { readonly kind: 'locked'; readonly until: Date }

/** An unknown phone number takes as long as a wrong PIN. */
export async function signIn(database: Database, attempt: PinAttempt): Promise<SignInResult> {
  const { origin } = attempt
  const account = guardSubject(attempt.phone)
  const signing = { key: attempt.secretKey, now: attempt.now }
  const device = await deviceOf(database, attempt, signing)
  const subject = device === null ? account : `${account} ${device}`
  const admission = attempt.admit(device && subject)
  if (admission === null) return { kind: 'throttled' }
  const verified = await verifySecret(database, {
    audience: 'payer',
    account,
    subject,
    admission,
    check: (tx) => checkPin(tx, attempt),
    onLock: (tx, until) => recordLock(tx, attempt, { until, isKnownDevice: device !== null }),
  })
  if (verified.kind !== 'right') return verified

  const { walletId, pinHash } = verified.value
  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [walletId] })
    // The PIN may have been replaced while the hash was computed.
    const wallet = await findWallet(tx, walletId)
    if (wallet === null || wallet.pinHash !== pinHash) return { kind: 'wrong' }
    if (isLockedByOperator(wallet)) return { kind: 'locked', until: wallet.lockedUntil! }
    if (device === null) await setLockedUntil(tx, walletId, null)
    const lockedUntil = device === null ? null : wallet.lockedUntil
    const opened = { ...wallet, lockedUntil }
    const signedIn = await openSession(tx, opened, { createdAt, origin })
    if (device === null) await mailNewDevice(tx, wallet, attempt, createdAt)
    return { ...signedIn, deviceToken: signDevice({ account, passwordHash: pinHash }, signing) }
  })
}

/** Returns the wallet and its PIN hash, or null for a wrong PIN. Adds the pepper to a hash that has none. */
async function checkPin(
  tx: Tx,
  attempt: PinAttempt,
): Promise<{ walletId: WalletNumber; pinHash: string } | null> {
  const { phone, pin, pepper, origin } = attempt
  const wallet = await findWalletByPhone(tx, phone)
  const pinHash = wallet?.pinHash ?? null
  const isRight = await matchesPin(pinHash, pin, pepper)
  if (wallet === null || pinHash === null || !isRight) {
    const event = { kind: 'sign_in_failed', accountId: wallet?.publicId ?? null } as const
    await recordSecurityEvent(tx, payerActor(wallet, origin), event, await readDatabaseTime(tx))
    return null
  }
  const { walletId } = wallet
  if (isPeppered(pinHash)) return { walletId, pinHash }
  const renewed = await hashPin(pin, pepper)
  const isRenewed = await replacePinHash(tx, walletId, { old: pinHash, renewed })
  // Another sign-in replaced the hash first, or the PIN was changed. Verify against the current hash, which has the
  // pepper.
  return isRenewed ? { walletId, pinHash: renewed } : checkPin(tx, attempt)
}

/** Records the lock for the operator and the payer. A lock of a known device doesn't lock the wallet for others. */
async function recordLock(
  tx: Tx,
  { phone, origin }: PinAttempt,
  { until, isKnownDevice }: { until: Date; isKnownDevice: boolean },
): Promise<void> {
  const found = await findWalletByPhone(tx, phone)
  // A wallet without a PIN has no sign-in, so it is not locked either.
  const wallet = found?.pinHash ? found : null
  if (!isKnownDevice) await setLockedUntil(tx, wallet?.walletId ?? NO_WALLET, until)
  // Do the same work for an unknown phone number, so that the response time doesn't reveal which ones exist.
  const details = { until: wireTime(until) }
  const event = { kind: 'account_locked', accountId: wallet?.publicId ?? null, details } as const
  await recordSecurityEvent(tx, payerActor(wallet, origin), event, await readDatabaseTime(tx))
}

/** Null if the device is unknown: no sign-in on it since the PIN was set, or for a year. */
async function deviceOf(
  database: Database,
  { phone, deviceToken }: PinAttempt,
  signing: { key: Buffer; now: Date },
): Promise<string | null> {
  if (deviceToken === null) return null
  const wallet = await findWalletByPhone(database, phone)
  const passwordHash = wallet?.pinHash ?? null
  return verifyDevice(deviceToken, { account: guardSubject(phone), passwordHash }, signing)
}

async function mailNewDevice(
  tx: Tx,
  { email, locale, name }: Wallet,
  { mail, origin: { source } }: PinAttempt,
  at: Date,
): Promise<void> {
  const from = source ?? NO_SOURCE
  const content = { template: 'new_device' as const, name, ...from, at: wireTime(at) }
  await mail.add(tx, [{ to: email, locale: locale ?? 'en', content }], at)
}

/** Needs no PIN, so it accepts only wallets without real money. */
export async function signInDemo(database: Database, walletId: WalletNumber, origin: Origin) {
  return database.transaction(async (tx) => {
    const createdAt = await lock(tx, { wallets: [walletId] })
    const wallet = await findWallet(tx, walletId)
    if (wallet?.mode !== 'sandbox' || isLockedByOperator(wallet)) return null
    return openSession(tx, wallet, { createdAt, origin, durationMs: DEMO_SESSION_MS })
  })
}

/** The caller holds the wallet's lock, or has just created the wallet. */
export async function openSession(
  tx: Tx,
  wallet: Wallet,
  {
    createdAt,
    origin,
    durationMs = SESSION_MS,
  }: { createdAt: Date; origin: Origin; durationMs?: number },
): Promise<SignedIn> {
  const { walletId, publicId } = wallet
  const { device, address } = origin.source ?? NO_SOURCE
  const token = mintToken(`flw_${walletId}_`)
  const expiresAt = new Date(createdAt.getTime() + durationMs)
  await insertSession(tx, {
    walletId,
    tokenHash: hashToken(token),
    createdAt,
    expiresAt,
    userAgent: device,
    address,
  })
  const event = { kind: 'sign_in', accountId: publicId } as const
  await recordSecurityEvent(tx, payerActor(wallet, origin), event, createdAt)
  return { kind: 'signed_in', token, wallet, expiresAt }
}

type EndedSession = {
  readonly walletId: WalletNumber
  readonly publicId: string
  readonly origin: Origin
}

export async function signOut(
  database: Database,
  { token, ...session }: EndedSession & { readonly token: string },
): Promise<void> {
  const sessionId = sessionIdOf(hashToken(token))
  await endSession(database, { ...session, sessionId, kind: 'sign_out' })
}

/** Ends one of the payer's sessions. False if there is no such session. */
export async function endSession(
  database: Database,
  {
    walletId,
    publicId,
    origin,
    sessionId,
    kind = 'session_ended',
  }: EndedSession & { readonly sessionId: string; readonly kind?: 'sign_out' | 'session_ended' },
): Promise<boolean> {
  const hashStart = parseSessionId(sessionId)
  if (hashStart === null) return false
  return inLockQueue(`wallet ${walletId}`, () =>
    database.transaction(async (tx) => {
      const at = await lock(tx, { wallets: [walletId] })
      if (!(await deleteSession(tx, { walletId, hashStart }))) return false
      const event = { kind, accountId: publicId }
      await recordSecurityEvent(tx, payerActor({ publicId }, origin), event, at)
      return true
    }),
  )
}

/** The token contains the wallet number, which gives the shard. */
export function walletOfToken(token: string): WalletNumber | null {
  const match = /^flw_([1-9][0-9]{0,9})_[A-Za-z0-9_-]{43}$/.exec(token)
  return match ? asWalletNumber(Number(match[1])) : null
}

/** Identifies a session in memory. Don't use the token: V8 would keep the whole header that it is a part of. */
export const sessionName = ({ walletId, tokenHash }: SessionKey): string =>
  `${walletId} ${tokenHash.toString('hex')}`

export function parseSessionName(name: string): SessionKey {
  const [walletId, hash] = name.split(' ') as [string, string]
  return { walletId: Number(walletId) as WalletNumber, tokenHash: Buffer.from(hash, 'hex') }
}

/** Records when the sessions with these names were last used. */
export const createSessionUseRecorder = (database: Database, now: () => Date) =>
  createUseRecorder(database, {
    now,
    loop: 'walletSessions',
    write: (tx, uses) =>
      setSessionsUsed(
        tx,
        uses.map(({ id, at }) => ({ ...parseSessionName(id), at })),
      ),
  })
