import { withoutPayer } from '../core/erasure.ts'
import type { WalletNumber } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import {
  eraseFromAuditLog,
  eraseWallet,
  isSandboxPayer,
  listPaid,
  type Paid,
} from '../sql/erasure.ts'
import { findWalletBalances } from '../sql/ledger.ts'
import { lock } from '../sql/locks.ts'
import { clearSignInGuards } from '../sql/walletSessions.ts'
import { findWallet, type Wallet } from '../sql/wallets.ts'
import { type Actor, audited } from './auditLog.ts'
import { retell } from './erasure.ts'
import { guardSubject } from './walletSessions.ts'
import { walletSubject } from './wallets.ts'

const STEP = 200

export type ErasePayerResult =
  | { readonly kind: 'erased'; readonly wallet: Wallet; readonly payments: number }
  | { readonly kind: 'not_empty' }
  | { readonly kind: 'plays_payer' }

/**
 * Forgets who a wallet belonged to; what it paid stays. First the wallet itself, after which nothing new can
 * name its payer, then what was told about it, in short steps. Cut off in between, it is asked for again and
 * goes on.
 */
export async function erasePayer(
  database: Database,
  actor: Actor,
  { walletId }: Wallet,
  { step = STEP }: { step?: number } = {},
): Promise<ErasePayerResult> {
  const refused = await audited(database, actor, async (tx) => {
    const at = await lock(tx, { wallets: [walletId] })
    const wallet = (await findWallet(tx, walletId))!
    if (wallet.erasedAt !== null) return { result: null, entry: null }
    if (await isSandboxPayer(tx, walletId)) return { result: 'plays_payer' as const, entry: null }
    const balances = await findWalletBalances(tx, [walletId])
    if (balances.some(({ balance }) => balance > 0n)) {
      return { result: 'not_empty' as const, entry: null }
    }
    // In the order in which a sign-in takes the two rows, so that neither waits for the other.
    await clearSignInGuards(tx, guardSubject(wallet.phone))
    await eraseWallet(tx, wallet, at)
    const subject = walletSubject(wallet)
    await eraseFromAuditLog(tx, subject)
    return { result: null, entry: { action: 'wallet.erase', subject, before: null, after: null } }
  })
  if (refused !== null) return { kind: refused }
  const payments = await eraseFromPayments(database, walletId, step)
  return { kind: 'erased', wallet: (await findWallet(database, walletId))!, payments }
}

async function eraseFromPayments(
  database: Database,
  walletId: WalletNumber,
  step: number,
): Promise<number> {
  let after: Paid | null = null
  let total = 0
  for (;;) {
    const paid: Paid[] = await listPaid(database, { walletId, after, limit: step })
    if (paid.length > 0) {
      await database.transaction(async (tx) => {
        await lock(tx, { stores: paid.map(({ storeId }) => storeId) })
        await retell(tx, paid, withoutPayer)
      })
    }
    total += paid.length
    if (paid.length < step) return total
    after = paid.at(-1)!
  }
}
