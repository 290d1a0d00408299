import { wireTime } from '../core/calendar.ts'
import { signDevice } from '../core/devices.ts'
import type { WalletNumber } from '../core/ids.ts'
import { guardSubject, sessionIdOf, walletSubject } from '../core/wallet.ts'
import type { Database, Tx } from '../database/database.ts'
import { lock, readDatabaseTime } from '../sql/locks.ts'
import { clearSignInGuards } from '../sql/signIns.ts'
import { deleteSessions } from '../sql/walletSessions.ts'
import {
  findWallet,
  isLockedByOperator,
  setLockedUntil,
  setPinHash,
  type Wallet,
} from '../sql/wallets.ts'
import { inAuditedTransaction, NO_SOURCE, notDone } from './auditLog.ts'
import type { MailQueue } from './mail.ts'
import { type Origin, payerActor } from './payerActor.ts'
import { hashPin, matchesPin } from './pins.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { ADMITTED, verifySecret } from './signIns.ts'

/** The signed-in payer who types the PIN again. */
export type PinOwner = {
  readonly walletId: WalletNumber
  readonly tokenHash: Buffer
  readonly origin: Origin
  readonly pepper: Buffer
}

/** Verifies the PIN of a signed-in payer. A session has as many attempts as an unknown device. */
export async function verifyOwnPin(
  database: Database,
  { walletId, tokenHash, origin, pepper }: PinOwner,
  pin: string,
): Promise<Wallet | 'wrong' | 'locked'> {
  const wallet = (await findWallet(database, walletId))!
  const subject = `${guardSubject(wallet.phone)} ${sessionIdOf(tokenHash)}`
  const record = async (tx: Tx, kind: 'sign_in_failed' | 'account_locked') => {
    const event = { kind, accountId: wallet.publicId }
    await recordSecurityEvent(tx, payerActor(wallet, origin), event, await readDatabaseTime(tx))
  }
  const verified = await verifySecret(database, {
    audience: 'payer',
    account: subject,
    subject,
    admission: ADMITTED,
    check: async (tx) => {
      if (await matchesPin(wallet.pinHash, pin, pepper)) return true
      await record(tx, 'sign_in_failed')
      return null
    },
    onLock: (tx) => record(tx, 'account_locked'),
  })
  if (verified.kind === 'right') return wallet
  return verified.kind === 'locked' ? 'locked' : 'wrong'
}

/** Needs the current PIN, so that a stolen session can't change it. Ends all other sessions. */
export async function changePin(
  database: Database,
  owner: PinOwner,
  {
    current,
    next,
    secretKey,
    mail,
  }: { current: string; next: string; secretKey: Buffer; mail: MailQueue },
): Promise<
  { kind: 'changed'; deviceToken: string; wallet: Wallet } | { kind: 'wrong' | 'locked' }
> {
  const verified = await verifyOwnPin(database, owner, current)
  if (typeof verified === 'string') return { kind: verified }
  const { walletId, tokenHash, origin, pepper } = owner
  const pinHash = await hashPin(next, pepper)
  const actor = payerActor(verified, origin)
  const changedAt = await inAuditedTransaction(database, actor, async (tx) => {
    const at = await lock(tx, { wallets: [walletId] })
    // The PIN may have been replaced while the hash was computed.
    const wallet = (await findWallet(tx, walletId))!
    if (wallet.pinHash !== verified.pinHash) return notDone(null)
    await replacePin(tx, wallet, pinHash, { except: tokenHash })
    await recordSecurityEvent(tx, actor, { kind: 'pin_changed', accountId: wallet.publicId }, at)
    await mailNewPin(tx, mail, { wallet, source: origin.source, at })
    return { result: at, entry: pinEntry(wallet) }
  })
  if (changedAt === null) return { kind: 'wrong' }
  const device = { account: guardSubject(verified.phone), passwordHash: pinHash }
  const deviceToken = signDevice(device, { key: secretKey, now: changedAt })
  return { kind: 'changed', deviceToken, wallet: verified }
}

/** Sets a PIN and ends all sessions except the given one, because the old PIN may be known to others. */
export async function replacePin(
  tx: Tx,
  wallet: Wallet,
  pinHash: string,
  { except = null }: { except?: Buffer | null } = {},
): Promise<void> {
  const { walletId, phone } = wallet
  // Failed attempts with the old PIN must not lock out the new one.
  await clearSignInGuards(tx, guardSubject(phone))
  if (!isLockedByOperator(wallet)) await setLockedUntil(tx, walletId, null)
  await setPinHash(tx, walletId, pinHash)
  await deleteSessions(tx, walletId, { except })
}

/** Notifies the payer, because another person may have changed the PIN. */
export async function mailNewPin(
  tx: Tx,
  mail: MailQueue,
  { wallet, source, at }: { wallet: Wallet; source: Origin['source']; at: Date },
): Promise<void> {
  const { email, locale, name } = wallet
  const content = {
    template: 'account_changed' as const,
    name,
    change: 'pin' as const,
    ...(source ?? NO_SOURCE),
    at: wireTime(at),
  }
  await mail.add(tx, [{ to: email, locale: locale ?? 'en', content }], at)
}

export const pinEntry = (wallet: Wallet) => ({
  action: 'wallet.pin',
  subject: walletSubject(wallet),
  before: null,
  after: null,
})
