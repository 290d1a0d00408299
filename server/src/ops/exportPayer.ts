import type { PaymentId } from '../core/ids.ts'
import { walletSubject } from '../core/wallet.ts'
import type { Database } from '../database/database.ts'
import { listArchivedPayments } from '../sql/archivedSums.ts'
import { listAuditEntries } from '../sql/auditLog.ts'
import { findAttempts } from '../sql/deliveries.ts'
import { findEventsOfPayments, listPayerSignups } from '../sql/erasure.ts'
import { listMailsToPayer } from '../sql/mail.ts'
import { listSecurityEvents } from '../sql/securityEvents.ts'
import { listSessions } from '../sql/walletSessions.ts'
import { findFavourites } from '../sql/walletStores.ts'
import { type ActivityPosition, listActivity, type Wallet } from '../sql/wallets.ts'
import { type Actor, inAuditedTransaction } from './auditLog.ts'

const PAGE_SIZE = 100
const MAX_ENTRIES = 1_000

export type PayerPage = Awaited<ReturnType<typeof exportPayer>>

/**
 * Exports a payer's data, one page of the statement at a time. The first page also has sessions, audit entries, security
 * events, sign-ups, emails, favourites and archived payments; every page has the events and delivery attempts of its
 * payments.
 */
export async function exportPayer(
  database: Database,
  actor: Actor,
  { wallet, before }: { wallet: Wallet; before: ActivityPosition | null },
) {
  const { walletId } = wallet
  const subject = walletSubject(wallet)
  const isFirst = before === null
  const found = await listActivity(database, {
    walletId,
    storeId: null,
    since: null,
    before,
    limit: PAGE_SIZE + 1,
  })
  const activity = found.slice(0, PAGE_SIZE)
  const paid = activity.flatMap(({ kind, storeId, reference }) =>
    kind === 'payment' && storeId !== null ? [{ storeId, paymentId: reference as PaymentId }] : [],
  )
  const archived = isFirst ? await listArchivedPayments(database, walletId) : []
  const payments = [...paid, ...archived]
  const recipient = wallet.email.toLowerCase()
  const accounts = [wallet.publicId]
  const [sessions, log, securityEvents, signups, mails, favourites, events, attempts] =
    await Promise.all([
      isFirst ? listSessions(database, walletId) : [],
      isFirst ? listAuditEntries(database, { ...NO_FILTER, subject, limit: MAX_ENTRIES + 1 }) : [],
      isFirst ? listSecurityEvents(database, { accounts, before: null, limit: MAX_ENTRIES }) : [],
      isFirst ? listPayerSignups(database, wallet) : [],
      isFirst ? listMailsToPayer(database, { recipient, limit: MAX_ENTRIES }) : [],
      isFirst ? findFavourites(database, walletId) : [],
      findEventsOfPayments(database, payments),
      findAttempts(database, payments),
    ])
  if (isFirst) {
    const entry = { action: 'wallet.export', subject, before: null, after: null }
    await inAuditedTransaction(database, actor, async () => ({ result: null, entry }))
  }
  const isLogComplete = log.length <= MAX_ENTRIES
  return {
    sessions,
    securityEvents,
    signups,
    mails,
    log: log.slice(0, MAX_ENTRIES),
    isLogComplete,
    favourites,
    archived,
    activity,
    events,
    attempts,
    isLast: found.length <= PAGE_SIZE,
  }
}

const NO_FILTER = { actor: null, action: null, from: null, to: null, before: null }
