import { setImmediate as nextTurn } from 'node:timers/promises'
import { withoutPayer } from '../core/erasure.ts'
import type { PaymentId, StoreId, WalletNumber } from '../core/ids.ts'
import { guardSubject, walletSubject } from '../core/wallet.ts'
import type { Database, Tx } from '../database/database.ts'
import { type ArchivedPayment, listArchivedPayments } from '../sql/archivedSums.ts'
import { deletePersonalSalts } from '../sql/auditSeals.ts'
import {
  clearResponses,
  eraseFromAuditLog,
  erasePayerTraces,
  eraseWallet,
  findEventsOfPayments,
  isSandboxPayer,
  listPaidPayments,
  type PaidPayment,
  replaceBodies,
  revokeLeases,
} from '../sql/erasure.ts'
import type { EventKey } from '../sql/events.ts'
import { findWalletBalances } from '../sql/ledger.ts'
import { lock, lockGlobal } from '../sql/locks.ts'
import { deleteMailsToPayer } from '../sql/mail.ts'
import { eraseFromSecurityEvents } from '../sql/securityEvents.ts'
import { clearSignInGuards } from '../sql/signIns.ts'
import { findWallet, type Wallet } from '../sql/wallets.ts'
import { type Actor, inAuditedTransaction, notDone } from './auditLog.ts'

const BATCH_SIZE = 200
const HOUR_MS = 3_600_000

type ErasePayerResult =
  | { readonly kind: 'erased'; readonly wallet: Wallet; readonly payments: number }
  | { readonly kind: 'not_empty' }
  | { readonly kind: 'wallet_of_sandbox' }

/**
 * Erases a payer's personal data; the payments stay. Erases the wallet first, so that nothing new can name the
 * payer, then the events of its payments in short steps. After an interruption, call it again to finish.
 */
export async function erasePayer(
  database: Database,
  actor: Actor,
  { walletId }: Wallet,
  { batchSize = BATCH_SIZE }: { batchSize?: number } = {},
): Promise<ErasePayerResult> {
  const refusal = await inAuditedTransaction(database, actor, async (tx) => {
    const at = await lock(tx, { wallets: [walletId] })
    const wallet = (await findWallet(tx, walletId))!
    if (wallet.erasedAt !== null) return notDone(null)
    if (await isSandboxPayer(tx, walletId)) return notDone('wallet_of_sandbox')
    const balances = await findWalletBalances(tx, [walletId])
    if (balances.some(({ balance }) => balance > 0n)) return notDone('not_empty')
    // Lock the rows in the same order as a sign-in, to prevent deadlocks.
    await clearSignInGuards(tx, guardSubject(wallet.phone))
    await eraseWallet(tx, wallet, at)
    await deleteMailsToPayer(tx, wallet.email.toLowerCase(), {
      hourAgo: new Date(at.getTime() - HOUR_MS),
      dayAgo: new Date(at.getTime() - 24 * HOUR_MS),
    })
    await erasePayerTraces(tx, wallet)
    await eraseFromSecurityEvents(tx, wallet.publicId)
    const subject = walletSubject(wallet)
    // The lock keeps an entry from being sealed with data that is being erased.
    await lockGlobal(tx, 'auditSeals')
    await eraseFromAuditLog(tx, subject)
    await deletePersonalSalts(tx, subject)
    return { result: null, entry: { action: 'wallet.erase', subject, before: null, after: null } }
  })
  if (refusal !== null) return { kind: refusal }
  const payments = await eraseFromPayments(database, walletId, batchSize)
  return { kind: 'erased', wallet: (await findWallet(database, walletId))!, payments }
}

async function eraseFromPayments(database: Database, walletId: WalletNumber, batchSize: number) {
  const eraseBatch = (paid: readonly Pick<PaidPayment, 'storeId' | 'paymentId'>[]) =>
    database.transaction(async (tx) => {
      await lock(tx, { stores: paid.map(({ storeId }) => storeId) })
      await redactEvents(tx, paid, withoutPayer)
    })
  let total = 0
  async function eraseAll<Row extends Pick<PaidPayment, 'storeId' | 'paymentId'>>(
    list: (after: Row | null) => Promise<Row[]>,
  ): Promise<void> {
    let after: Row | null = null
    for (;;) {
      const paid: Row[] = await list(after)
      if (paid.length > 0) await eraseBatch(paid)
      total += paid.length
      if (paid.length < batchSize) return
      after = paid.at(-1)!
    }
  }
  const page = { walletId, limit: batchSize }
  await eraseAll<PaidPayment>((after) => listPaidPayments(database, { ...page, after }))
  await eraseAll<ArchivedPayment>((after) =>
    listArchivedPayments(database, { ...page, after: after?.paymentId ?? null }),
  )
  return total
}

/** Rewrites the stored bodies of the events of these payments. The caller holds the locks of their stores. */
export async function redactEvents(
  tx: Tx,
  payments: readonly { readonly storeId: StoreId; readonly paymentId: PaymentId }[],
  redact: (body: string) => string,
): Promise<void> {
  const events = await findEventsOfPayments(tx, payments)
  const redacted: (EventKey & { readonly body: string })[] = []
  for (const { body, ...event } of events) {
    if (body === null) continue
    redacted.push({ ...event, body: redact(body) })
    // Let other requests run: a large body takes milliseconds, and there can be hundreds.
    await nextTurn()
  }
  await rewriteEvents(tx, redacted, { endDeliveries: false })
}

/** Replaces the bodies and clears the responses of receivers. With `endDeliveries` the events are no longer delivered. */
export async function rewriteEvents(
  tx: Tx,
  events: readonly (EventKey & { readonly body: string })[],
  { endDeliveries }: { endDeliveries: boolean },
): Promise<void> {
  await replaceBodies(tx, events)
  await revokeLeases(tx, events, { endDeliveries })
  await clearResponses(tx, events)
}
