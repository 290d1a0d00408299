import { wireTime } from '../core/calendar.ts'
import { type Mode, mintWalletId, type WalletNumber } from '../core/ids.ts'
import type { Database, Tx } from '../database/database.ts'
import { databaseTime, lock } from '../sql/locks.ts'
import { clearSignInGuards } from '../sql/signIns.ts'
import { deleteSessions } from '../sql/walletSessions.ts'
import {
  claimPhone,
  findWallet,
  insertWallet,
  isLockedByOperator,
  nextWalletNumber,
  setLockedByOperator,
  setLockedUntil,
  setPinHash,
  type Wallet,
} from '../sql/wallets.ts'
import { type Actor, type Entry, inAuditedTransaction, NOT_DONE } from './auditLog.ts'
import { hashPin } from './pins.ts'
import { guardSubject } from './walletSessions.ts'

export const walletSubject = (wallet: Pick<Wallet, 'publicId'>) => `wallet:${wallet.publicId}`

export type CreateWalletResult =
  | { readonly kind: 'created'; readonly wallet: Wallet }
  | { readonly kind: 'phone_taken' }

export async function createWallet(
  database: Database,
  actor: Actor,
  wanted: { mode: Mode; name: string; email: string; phone: string; pin: string },
  pepper: Buffer,
): Promise<CreateWalletResult> {
  const { pin, ...profile } = wanted
  const pinHash = await hashPin(pin, pepper)
  return inAuditedTransaction<CreateWalletResult>(database, actor, async (tx) => {
    const walletId = await nextWalletNumber(tx)
    if (!(await claimPhone(tx, profile.phone, walletId))) {
      return { result: { kind: 'phone_taken' }, entry: null }
    }
    const wallet: Wallet = {
      ...profile,
      walletId,
      publicId: mintWalletId(walletId),
      pinHash,
      lockedUntil: null,
      createdAt: await databaseTime(tx),
      erasedAt: null,
      locale: null,
      mailReceipts: false,
    }
    await insertWallet(tx, wallet)
    return {
      result: { kind: 'created', wallet },
      entry: {
        action: 'wallet.create',
        subject: walletSubject(wallet),
        before: null,
        after: { ...profile, wallet_id: wallet.publicId },
      },
    }
  })
}

/** Locks a wallet. Null if it was erased, possibly while this waited for the lock. */
async function lockUsable(tx: Tx, walletId: WalletNumber): Promise<Wallet | null> {
  await lock(tx, { wallets: [walletId] })
  const wallet = (await findWallet(tx, walletId))!
  return wallet.erasedAt === null ? wallet : null
}

/** A locked wallet can neither sign in nor pay. It keeps its balance and can receive refunds. */
export async function lockWallet(database: Database, actor: Actor, { walletId }: Wallet) {
  return inAuditedTransaction<Wallet | null>(database, actor, async (tx) => {
    const before = await lockUsable(tx, walletId)
    if (before === null) return NOT_DONE
    await setLockedByOperator(tx, walletId, true)
    await deleteSessions(tx, walletId)
    const after = (await findWallet(tx, walletId))!
    return { result: after, entry: lockEntry('wallet.lock', before, after) }
  })
}

export async function unlockWallet(database: Database, actor: Actor, { walletId }: Wallet) {
  return inAuditedTransaction<Wallet | null>(database, actor, async (tx) => {
    const before = await lockUsable(tx, walletId)
    if (before === null) return NOT_DONE
    // The same order of rows as in a sign-in, to prevent deadlocks.
    await clearSignInGuards(tx, guardSubject(before.phone))
    await setLockedUntil(tx, walletId, null)
    await setLockedByOperator(tx, walletId, false)
    const after = { ...before, lockedUntil: null }
    return { result: after, entry: lockEntry('wallet.unlock', before, after) }
  })
}

function lockEntry(action: string, before: Wallet, after: Wallet): Entry {
  const lockOf = ({ lockedUntil }: Wallet) => ({
    locked_until: lockedUntil && wireTime(lockedUntil),
  })
  return { action, subject: walletSubject(before), before: lockOf(before), after: lockOf(after) }
}

/** Ends every session, because the old PIN may be known to others. */
export async function resetPin(
  database: Database,
  actor: Actor,
  { wallet: { walletId }, pin }: { wallet: Wallet; pin: string },
  pepper: Buffer,
): Promise<Wallet | null> {
  const pinHash = await hashPin(pin, pepper)
  return inAuditedTransaction<Wallet | null>(database, actor, async (tx) => {
    const wallet = await lockUsable(tx, walletId)
    if (wallet === null) return NOT_DONE
    // Failed attempts with the old PIN must not lock out the new one.
    await clearSignInGuards(tx, guardSubject(wallet.phone))
    if (!isLockedByOperator(wallet)) await setLockedUntil(tx, walletId, null)
    await setPinHash(tx, walletId, pinHash)
    await deleteSessions(tx, walletId)
    const entry = {
      action: 'wallet.pin',
      subject: walletSubject(wallet),
      before: null,
      after: null,
    }
    return { result: wallet, entry }
  })
}
