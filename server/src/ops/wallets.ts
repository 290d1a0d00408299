import { wireTime } from '../core/calendar.ts'
import { mintWalletId, type WalletNumber } from '../core/ids.ts'
import { guardSubject, walletSubject } from '../core/wallet.ts'
import type { Database, Tx } from '../database/database.ts'
import { listAuditEntries } from '../sql/auditLog.ts'
import { isSandboxPayer } from '../sql/erasure.ts'
import { lock, readDatabaseTime } from '../sql/locks.ts'
import { clearSignInGuards } from '../sql/signIns.ts'
import { deleteActivation } from '../sql/walletActivations.ts'
import { deleteSessions } from '../sql/walletSessions.ts'
import {
  claimPhone,
  findWallet,
  insertWallet,
  nextWalletNumber,
  setLockedByOperator,
  setLockedUntil,
  type Wallet,
} from '../sql/wallets.ts'
import {
  type ActivationContext,
  addActivation,
  type NewActivation,
  type WalletProfile,
} from './activationCodes.ts'
import { type Actor, type Entry, inAuditedTransaction, notDone } from './auditLog.ts'
import { hashPin } from './pins.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { mailNewPin, pinEntry, replacePin } from './walletPins.ts'

/** Null if another wallet has the phone number. */
export async function addWallet(
  tx: Tx,
  profile: WalletProfile & { readonly pinHash: string | null },
): Promise<Wallet | null> {
  const walletId = await nextWalletNumber(tx)
  if (!(await claimPhone(tx, profile.phone, walletId))) return null
  const publicId = mintWalletId(walletId)
  const wallet = { ...profile, walletId, publicId, createdAt: await readDatabaseTime(tx) }
  await insertWallet(tx, wallet)
  return { ...wallet, lockedUntil: null, erasedAt: null, mailReceipts: false, pinLimits: {} }
}

type CreateWalletResult =
  /** The activation is null for a wallet that was created with a PIN. */
  | {
      readonly kind: 'created'
      readonly wallet: Wallet
      readonly activation: NewActivation | null
    }
  | { readonly kind: 'phone_taken' }

/**
 * Without a PIN, the wallet can't sign in until the payer activates it. `isLimited` is for operators who aren't admins: an address gets
 * few emails an hour about their new wallets.
 */
export async function createWallet(
  database: Database,
  actor: Actor,
  fields: WalletProfile & { readonly pin: string | null },
  context: ActivationContext,
  { isLimited = false }: { isLimited?: boolean } = {},
): Promise<CreateWalletResult> {
  const { pin, ...profile } = fields
  const pinHash = pin === null ? null : await hashPin(pin, context.pepper)
  return inAuditedTransaction<CreateWalletResult>(database, actor, async (tx) => {
    const wallet = await addWallet(tx, { ...profile, pinHash })
    if (wallet === null) return notDone({ kind: 'phone_taken' })
    const { publicId, createdAt: at } = wallet
    const activation =
      pin === null ? await addActivation(tx, wallet, context, at, { isLimited }) : null
    await recordSecurityEvent(tx, actor, { kind: 'account_created', accountId: publicId }, at)
    return { result: { kind: 'created', wallet, activation }, entry: createEntry(wallet) }
  })
}

export function createEntry(wallet: Wallet): Entry {
  const { mode, name, email, phone, publicId } = wallet
  return {
    action: 'wallet.create',
    subject: walletSubject(wallet),
    before: null,
    after: { mode, name, email, phone, wallet_id: publicId },
  }
}

/** Takes the database lock of a wallet, until the end of the transaction. Null if the wallet is erased. */
async function lockUsable(tx: Tx, walletId: WalletNumber): Promise<Wallet | null> {
  await lock(tx, { wallets: [walletId] })
  const wallet = (await findWallet(tx, walletId))!
  return wallet.erasedAt === null ? wallet : null
}

/** Null for an erased wallet. The built-in sandbox wallet of a store can't be locked and has no PIN. */
type ChangedWallet = Wallet | 'wallet_of_sandbox' | null

/** A locked wallet can neither sign in nor pay. It keeps its balance and can receive refunds. */
export async function lockWallet(database: Database, actor: Actor, { walletId }: Wallet) {
  return inAuditedTransaction<ChangedWallet>(database, actor, async (tx) => {
    const before = await lockUsable(tx, walletId)
    if (before === null) return notDone(null)
    if (await isSandboxPayer(tx, walletId)) return notDone('wallet_of_sandbox')
    await setLockedByOperator(tx, walletId, true)
    await deleteSessions(tx, walletId)
    await recordLockEvent(tx, actor, 'account_locked', before)
    const after = (await findWallet(tx, walletId))!
    return { result: after, entry: lockEntry('wallet.lock', before, after) }
  })
}

const MAX_UNLOCKS_PER_DAY = 3
const DAY_MS = 24 * 3_600_000

/**
 * Unlocking allows five more PINs, so an operator could try all PINs with many unlocks. With `isLimited`, for operators who may not
 * set the PIN, a wallet can be unlocked at most three times within 24 hours. Null for an erased wallet.
 */
export async function unlockWallet(
  database: Database,
  actor: Actor,
  { walletId }: Wallet,
  { isLimited = false }: { isLimited?: boolean } = {},
) {
  type Result = Wallet | 'too_many_unlocks' | null
  return inAuditedTransaction<Result>(database, actor, async (tx) => {
    const before = await lockUsable(tx, walletId)
    if (before === null) return notDone(null)
    if (isLimited && (await wasUnlockedOften(tx, before))) return notDone('too_many_unlocks')
    // Lock the rows in the same order as a sign-in, to prevent deadlocks.
    await clearSignInGuards(tx, guardSubject(before.phone))
    await setLockedUntil(tx, walletId, null)
    await setLockedByOperator(tx, walletId, false)
    await recordLockEvent(tx, actor, 'account_unlocked', before)
    const after = { ...before, lockedUntil: null }
    return { result: after, entry: lockEntry('wallet.unlock', before, after) }
  })
}

const wasUnlockedOften = async (tx: Tx, wallet: Wallet) =>
  (await countActionsOfDay(tx, wallet, 'wallet.unlock', MAX_UNLOCKS_PER_DAY)) ===
  MAX_UNLOCKS_PER_DAY

/** How often operators performed this action on a wallet within a day, up to `limit`. */
export async function countActionsOfDay(
  tx: Tx,
  wallet: Wallet,
  action: string,
  limit: number,
): Promise<number> {
  const from = new Date((await readDatabaseTime(tx)).getTime() - DAY_MS)
  const subject = walletSubject(wallet)
  return (await listAuditEntries(tx, { action, subject, from, limit })).length
}

async function recordLockEvent(
  tx: Tx,
  actor: Actor,
  kind: 'account_locked' | 'account_unlocked',
  { publicId }: Wallet,
): Promise<void> {
  const at = await readDatabaseTime(tx)
  await recordSecurityEvent(tx, actor, { kind, accountId: publicId }, at)
}

function lockEntry(action: string, before: Wallet, after: Wallet): Entry {
  const lockOf = ({ lockedUntil }: Wallet) => ({
    locked_until: lockedUntil && wireTime(lockedUntil),
  })
  return { action, subject: walletSubject(before), before: lockOf(before), after: lockOf(after) }
}

/** Sets a PIN that the operator knows. For imports and for payers without a browser. */
export async function resetPin(
  database: Database,
  actor: Actor,
  { wallet: { walletId }, pin }: { wallet: Wallet; pin: string },
  { pepper, mail }: Pick<ActivationContext, 'pepper' | 'mail'>,
): Promise<ChangedWallet> {
  const pinHash = await hashPin(pin, pepper)
  return inAuditedTransaction<ChangedWallet>(database, actor, async (tx) => {
    const wallet = await lockUsable(tx, walletId)
    if (wallet === null) return notDone(null)
    if (await isSandboxPayer(tx, walletId)) return notDone('wallet_of_sandbox')
    await replacePin(tx, wallet, pinHash)
    await deleteActivation(tx, walletId)
    const at = await readDatabaseTime(tx)
    await recordSecurityEvent(tx, actor, { kind: 'pin_reset', accountId: wallet.publicId }, at)
    // The device and address are those of the operator, which the payer need not know.
    await mailNewPin(tx, mail, { wallet, source: undefined, at })
    return { result: (await findWallet(tx, walletId))!, entry: pinEntry(wallet) }
  })
}
