import type { PaymentId } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import { listAuditEntries } from '../sql/auditLog.ts'
import { findAttemptsOf } from '../sql/deliveries.ts'
import { findEventsOf } from '../sql/erasure.ts'
import { listSessions } from '../sql/walletSessions.ts'
import { type ActivityPosition, listActivity, type Wallet } from '../sql/wallets.ts'
import { type Actor, audited } from './auditLog.ts'
import { walletSubject } from './wallets.ts'

const PAGE = 100
const MAX_ENTRIES = 1_000

export type PayerPage = Awaited<ReturnType<typeof exportPayer>>

/**
 * All that is held about a payer, a page of the statement at a time: with the first one what is known of the
 * person, with each what merchants were told about its payments.
 */
export async function exportPayer(
  database: Database,
  actor: Actor,
  { wallet, before }: { wallet: Wallet; before: ActivityPosition | null },
) {
  const { walletId } = wallet
  const subject = walletSubject(wallet)
  const isFirst = before === null
  const found = await listActivity(database, { walletId, before, limit: PAGE + 1 })
  const activity = found.slice(0, PAGE)
  const paid = activity.flatMap(({ kind, storeId, reference }) =>
    kind === 'payment' && storeId !== null ? [{ storeId, paymentId: reference as PaymentId }] : [],
  )
  const [sessions, log, events, attempts] = await Promise.all([
    isFirst ? listSessions(database, walletId) : [],
    isFirst ? listAuditEntries(database, { ...EVERY, subject, limit: MAX_ENTRIES + 1 }) : [],
    findEventsOf(database, paid),
    findAttemptsOf(database, paid),
  ])
  if (isFirst) {
    const entry = { action: 'wallet.export', subject, before: null, after: null }
    await audited(database, actor, async () => ({ result: null, entry }))
  }
  const isLogWhole = log.length <= MAX_ENTRIES
  return {
    sessions,
    log: log.slice(0, MAX_ENTRIES),
    isLogWhole,
    activity,
    events,
    attempts,
    isLast: found.length <= PAGE,
  }
}

const EVERY = { actor: null, action: null, from: null, to: null, before: null }
