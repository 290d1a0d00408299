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
import { MAX_EXPORTED_ATTEMPTS } from './deliveries.ts'

const PAGE_SIZE = 100
const MAX_ENTRIES = 1_000

export type PayerPage = Awaited<ReturnType<typeof exportPayer>>

/** The last item of the page before: a line of the statement or, after its end, an archived payment. */
export type ExportPosition = ActivityPosition | { readonly paymentId: PaymentId }

/**
 * Exports a payer's data, one page of the statement at a time, then of the archived payments. The first page also has
 * sessions, audit entries, security events, sign-ups, emails and favourites; every page has the events and delivery
 * attempts of its payments. Archived payments come last, so that months that are archived meanwhile are included.
 */
export async function exportPayer(
  database: Database,
  actor: Actor,
  { wallet, last }: { wallet: Wallet; last: ExportPosition | null },
) {
  const { walletId } = wallet
  const subject = walletSubject(wallet)
  const isFirst = last === null
  const limit = PAGE_SIZE + 1
  const after = last !== null && 'paymentId' in last ? last.paymentId : null
  const before = last !== null && 'at' in last ? last : null
  const filter = { walletId, storeId: null, since: null }
  const activities = after ? [] : await listActivity(database, { ...filter, before, limit })
  const activity = activities.slice(0, PAGE_SIZE)
  const isInStatement = activities.length > PAGE_SIZE
  const paid = activity.flatMap(({ kind, storeId, reference }) =>
    kind === 'payment' && storeId !== null ? [{ storeId, paymentId: reference as PaymentId }] : [],
  )
  const archivedPayments = isInStatement
    ? []
    : await listArchivedPayments(database, { walletId, after, limit })
  const archived = archivedPayments.slice(0, PAGE_SIZE)
  const isInArchive = archivedPayments.length > PAGE_SIZE
  const next = isInStatement ? activity.at(-1)! : isInArchive ? archived.at(-1)! : null
  const payments = [...paid, ...archived]
  const recipient = wallet.email.toLowerCase()
  const accounts = [wallet.publicId]
  const [sessions, log, securityEvents, signups, mails, favourites, events, attempts] =
    await Promise.all([
      isFirst ? listSessions(database, walletId) : [],
      isFirst ? listAuditEntries(database, { subject, limit: MAX_ENTRIES + 1 }) : [],
      isFirst ? listSecurityEvents(database, { accounts, before: null, limit: MAX_ENTRIES }) : [],
      isFirst ? listPayerSignups(database, wallet) : [],
      isFirst ? listMailsToPayer(database, { recipient, limit: MAX_ENTRIES }) : [],
      isFirst ? findFavourites(database, walletId) : [],
      findEventsOfPayments(database, payments),
      findAttempts(database, payments, MAX_EXPORTED_ATTEMPTS),
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
    next,
  }
}
