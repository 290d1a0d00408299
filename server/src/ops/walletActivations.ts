import type { Locale } from '@florin/shared/locales.js'
import { hashActivationCode } from '../core/activation.ts'
import { signDevice } from '../core/devices.ts'
import { guardSubject, walletSubject } from '../core/wallet.ts'
import type { Database, Tx } from '../database/database.ts'
import { wasPinDisabled } from '../sql/auditLog.ts'
import { isSandboxPayer } from '../sql/erasure.ts'
import { findWalletBalances } from '../sql/ledger.ts'
import { lock } from '../sql/locks.ts'
import {
  type Activation,
  deleteActivation,
  expireSignup,
  findActivation,
  hasSignup,
  lockSignup,
} from '../sql/walletActivations.ts'
import { deleteSessions } from '../sql/walletSessions.ts'
import {
  findWallet,
  isLockedByOperator,
  setPinHash,
  setWalletSettings,
  type Wallet,
} from '../sql/wallets.ts'
import {
  type ActivationContext,
  addActivation,
  canMailCode,
  type NewActivation,
} from './activationCodes.ts'
import { type Actor, inAuditedTransaction, notDone } from './auditLog.ts'
import { canMail, type MailQueue } from './mail.ts'
import { type Origin, payerActor } from './payerActor.ts'
import { hashPin } from './pins.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { type Admit, inSlot } from './signIns.ts'
import { mailNewPin, replacePin } from './walletPins.ts'
import { openSession, type SignedIn } from './walletSessions.ts'
import { addWallet, countActionsOfDay, createEntry } from './wallets.ts'

type ResetWalletResult =
  /** Without `isShown`, only the payer may see the code. */
  | { readonly kind: 'reset'; readonly activation: NewActivation; readonly isShown: boolean }
  | { readonly kind: 'erased' | 'wallet_of_sandbox' | 'not_mailable' | 'too_many' }

type WalletReset = {
  readonly walletId: Wallet['walletId']
  readonly endSessions: boolean
  /**
   * Whether the actor may see the code of any wallet. Anyone with the code can spend the money of the wallet. Other actors can
   * create only a few codes a day for a wallet, and email only a few an hour to an address, so that they can't flood a payer with
   * emails.
   */
  readonly canSeeCode: boolean
}

const MAX_CODES_PER_DAY = 3

/**
 * Creates a new activation code. The current PIN works until the payer chooses another one, unless the sessions
 * are ended too: then it stops working immediately.
 */
export async function resetWallet(
  database: Database,
  actor: Actor,
  { walletId, endSessions, canSeeCode }: WalletReset,
  context: ActivationContext,
): Promise<ResetWalletResult> {
  return inAuditedTransaction<ResetWalletResult>(database, actor, async (tx) => {
    const at = await lock(tx, { wallets: [walletId] })
    const found = (await findWallet(tx, walletId))!
    if (found.erasedAt !== null) return notDone({ kind: 'erased' })
    if (await isSandboxPayer(tx, walletId)) return notDone({ kind: 'wallet_of_sandbox' })
    if (!canSeeCode) {
      const count = await countActionsOfDay(tx, found, 'wallet.activation', MAX_CODES_PER_DAY)
      if (count === MAX_CODES_PER_DAY) return notDone({ kind: 'too_many' })
    }
    const isShown = canSeeCode || found.mode === 'sandbox' || !(await wasUsed(tx, found))
    if (!isShown && !canMail(context.mail, found.email)) return notDone({ kind: 'not_mailable' })
    // Otherwise the code would be neither shown nor emailed.
    if (!isShown && !(await canMailCode(tx, found, at))) return notDone({ kind: 'too_many' })
    if (endSessions) {
      await setPinHash(tx, walletId, null)
      await deleteSessions(tx, walletId)
    }
    const wallet = endSessions ? { ...found, pinHash: null } : found
    const activation = await addActivation(tx, wallet, context, at, { isLimited: !canSeeCode })
    const { publicId } = wallet
    const details = { end_sessions: endSessions }
    await recordSecurityEvent(tx, actor, { kind: 'pin_reset', accountId: publicId, details }, at)
    const subject = walletSubject(wallet)
    return {
      result: { kind: 'reset', activation, isShown },
      entry: { action: 'wallet.activation', subject, before: null, after: details },
    }
  })
}

/** Whether a wallet has or had a PIN or money. */
async function wasUsed(tx: Tx, wallet: Wallet): Promise<boolean> {
  if (wallet.pinHash !== null) return true
  const balances = await findWalletBalances(tx, [wallet.walletId])
  return balances.length > 0 || (await wasPinDisabled(tx, walletSubject(wallet)))
}

type ActivationAttempt = {
  readonly code: string
  readonly pin: string
  /** The language of the page, for emails. */
  readonly locale: Locale | null
  readonly pepper: Buffer
  readonly secretKey: Buffer
  readonly now: Date
  readonly mail: MailQueue
  readonly origin: Origin
  readonly admit: Admit
}

type ActivateResult =
  | (SignedIn & { readonly deviceToken: string })
  | { readonly kind: 'wrong' | 'throttled' | 'locked' | 'phone_taken' }

/**
 * Sets the PIN of the wallet that a code belongs to and ends its old sessions, or opens the wallet of a sign-up. Then signs
 * in. A code works once.
 */
export async function activateWallet(
  database: Database,
  attempt: ActivationAttempt,
): Promise<ActivateResult> {
  const admission = attempt.admit(null)
  if (admission === null) return { kind: 'throttled' }
  const { pin, locale, pepper, secretKey, now, mail, origin } = attempt
  const codeHash = hashActivationCode(attempt.code, pepper)
  const account = `activation ${codeHash.toString('hex')}`
  return inSlot<ActivateResult>({ audience: 'payer', account, admission }, async () => {
    const activation = await findActivation(database, codeHash)
    if (activation === null && !(await hasSignup(database, codeHash))) return { kind: 'wrong' }
    const pinHash = await hashPin(pin, pepper)
    const result =
      activation === null
        ? await openSignedUpWallet(database, { codeHash, pinHash, origin })
        : await setPinByCode(database, { activation, pinHash, origin, locale, mail })
    if (result.kind !== 'signed_in') return result
    const device = { account: guardSubject(result.wallet.phone), passwordHash: pinHash }
    return { ...result, deviceToken: signDevice(device, { key: secretKey, now }) }
  })
}

type Activated = SignedIn | { readonly kind: 'wrong' | 'locked' | 'phone_taken' }
type NewPin = { readonly pinHash: string; readonly origin: Origin }

async function setPinByCode(
  database: Database,
  {
    activation,
    pinHash,
    origin,
    locale,
    mail,
  }: NewPin & {
    readonly activation: Activation
    readonly locale: Locale | null
    readonly mail: MailQueue
  },
): Promise<Activated> {
  const { walletId, codeHash } = activation
  const known = (await findWallet(database, walletId))!
  const actor = payerActor(known, origin)
  return inAuditedTransaction<Activated>(database, actor, async (tx) => {
    const createdAt = await lock(tx, { wallets: [walletId] })
    // Another request may have used or replaced the code.
    const valid = await findActivation(tx, codeHash)
    const wallet = await findWallet(tx, walletId)
    if (valid === null || wallet === null) return notDone({ kind: 'wrong' })
    if (isLockedByOperator(wallet)) return notDone({ kind: 'locked' })
    await replacePin(tx, wallet, pinHash)
    const { source } = origin
    if (wallet.pinHash !== null) await mailNewPin(tx, mail, { wallet, source, at: createdAt })
    await deleteActivation(tx, walletId)
    const settings = { ...wallet, locale: locale ?? wallet.locale }
    await setWalletSettings(tx, walletId, settings)
    const opened = { ...settings, pinHash, lockedUntil: null }
    const result = await openFirstSession(tx, opened, { origin, createdAt })
    const subject = walletSubject(wallet)
    return { result, entry: { action: 'wallet.activate', subject, before: null, after: null } }
  })
}

async function openSignedUpWallet(
  database: Database,
  { codeHash, pinHash, origin }: NewPin & { readonly codeHash: Buffer },
): Promise<Activated> {
  const actor = { ...origin, name: 'sign-up' }
  return inAuditedTransaction<Activated>(database, actor, async (tx) => {
    const signup = await lockSignup(tx, codeHash)
    if (signup === null) return notDone({ kind: 'wrong' })
    const { mode, name, email, phone, locale } = signup
    const wallet = await addWallet(tx, { mode, name, email, phone, locale, pinHash })
    if (wallet === null) return notDone({ kind: 'phone_taken' })
    await expireSignup(tx, codeHash)
    const { createdAt } = wallet
    const result = await openFirstSession(tx, wallet, { origin, createdAt })
    return { result, entry: createEntry(wallet) }
  })
}

async function openFirstSession(
  tx: Tx,
  wallet: Wallet,
  { origin, createdAt }: { origin: Origin; createdAt: Date },
): Promise<SignedIn> {
  const event = { kind: 'wallet_activated', accountId: wallet.publicId } as const
  await recordSecurityEvent(tx, payerActor(wallet, origin), event, createdAt)
  return openSession(tx, wallet, { createdAt, origin })
}
