import { mintReference } from '../core/ids.ts'
import {
  isMailAddress,
  leadMsOf,
  MAX_CLIENT_MAILS_PER_DAY,
  type NewMail,
  retryDelayMs,
} from '../core/mail.ts'
import { encryptSecret } from '../core/secrets.ts'
import type { Database, Tx } from '../database/database.ts'
import { lockGlobal, readDatabaseTime } from '../sql/locks.ts'
import {
  type ClaimedMail,
  claimMails,
  ERASED_RECIPIENT,
  findMail,
  insertMails,
  type ListedMail,
  type MailRow,
  makeMailDue,
  markFailed,
  markSent,
  releaseMail,
} from '../sql/mail.ts'
import { countMailsByTemplate, countMailsToClients } from '../sql/mailCounts.ts'
import { type Actor, inAuditedTransaction, notDone } from './auditLog.ts'

/** Writes emails in the transaction of their cause. Without a mail server it writes nothing. */
export type MailQueue = {
  readonly isEnabled: boolean
  /** Returns what was written. Ignores emails to text that is not exactly one address, and those above their limit. */
  readonly add: (tx: Tx, mails: readonly NewMail[], at: Date) => Promise<readonly MailRow[]>
}

/** The mail queue, and the public address for links in emails. */
export type MailContext = { readonly mail: MailQueue; readonly publicUrl: string }

/** Whether an email to this text can be written: mail is set up, and the text is exactly one address. */
export const canMail = ({ isEnabled }: MailQueue, to: string): boolean =>
  isEnabled && isMailAddress(to)

export function createMailQueue({
  isEnabled,
  secretKey,
  onCommit,
}: {
  isEnabled: boolean
  secretKey: Buffer
  /** Called after the commit of a transaction that wrote emails. */
  onCommit: () => void
}): MailQueue {
  return {
    isEnabled,
    async add(tx, mails, at) {
      const wanted = isEnabled ? mails.filter(({ to }) => isMailAddress(to)) : []
      const sendable = await withinDailyLimit(tx, await withinHourlyLimits(tx, wanted, at), at)
      if (sendable.length === 0) return []
      const rows = sendable.map(
        ({ to, locale, content, senderStoreId = null, clientStoreId = null }) => ({
          mailId: mintReference('mail_', at),
          recipient: to.toLowerCase(),
          template: content.template,
          locale,
          content: encryptSecret(JSON.stringify(content), secretKey),
          paymentId: 'paymentId' in content ? content.paymentId : null,
          senderStoreId,
          clientStoreId,
          createdAt: at,
          dueAt: new Date(at.getTime() - leadMsOf(content.template)),
        }),
      )
      tx.onCommit(onCommit)
      await insertMails(tx, rows)
      return rows
    },
  }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Leaves out emails above their `maxPerHour`. An email whose address was erased may have gone to any address, so it counts for all. */
async function withinHourlyLimits(
  tx: Tx,
  mails: readonly NewMail[],
  at: Date,
): Promise<readonly NewMail[]> {
  const limited = mails.filter(({ maxPerHour }) => maxPerHour !== undefined)
  if (limited.length === 0) return mails
  const recipients = [...new Set(limited.map(({ to }) => to.toLowerCase()))]
  const since = new Date(at.getTime() - HOUR_MS)
  const found = await countMailsByTemplate(tx, [...recipients, ERASED_RECIPIENT.payer], since)
  const counts = new Map(
    found.map(({ recipient, template, count }) => [`${recipient} ${template}`, count]),
  )
  return mails.filter(({ to, content, maxPerHour = Number.POSITIVE_INFINITY }) => {
    const key = `${to.toLowerCase()} ${content.template}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    const erased = counts.get(`${ERASED_RECIPIENT.payer} ${content.template}`) ?? 0
    return count + erased < maxPerHour
  })
}

/**
 * Leaves out emails to clients above the limit of their store and address, which also limits the rows that are counted for an
 * address. An email whose address was erased counts for all addresses of its store.
 */
async function withinDailyLimit(
  tx: Tx,
  mails: readonly NewMail[],
  at: Date,
): Promise<readonly NewMail[]> {
  const limited = mails.flatMap(({ to, clientStoreId: storeId }) =>
    storeId === undefined
      ? []
      : [
          { storeId, recipient: to.toLowerCase() },
          { storeId, recipient: ERASED_RECIPIENT.client },
        ],
  )
  if (limited.length === 0) return mails
  const clients = new Map(
    limited.map((client) => [`${client.storeId} ${client.recipient}`, client]),
  )
  const since = new Date(at.getTime() - DAY_MS)
  const found = await countMailsToClients(tx, [...clients.values()], since)
  const counts = new Map(
    found.map(({ storeId, recipient, template, count }) => [
      `${storeId} ${recipient} ${template}`,
      count,
    ]),
  )
  return mails.filter(({ to, content, clientStoreId }) => {
    if (clientStoreId === undefined) return true
    const key = `${clientStoreId} ${to.toLowerCase()} ${content.template}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    const erased =
      counts.get(`${clientStoreId} ${ERASED_RECIPIENT.client} ${content.template}`) ?? 0
    return count + erased < MAX_CLIENT_MAILS_PER_DAY
  })
}

/** After this time another process may send the email, because the first one has probably crashed. */
const MAIL_LEASE_MS = 60_000

/** Claims emails that are due. One process at a time, so that two never claim the same email. */
export async function claimDueMails(database: Database, limit: number): Promise<ClaimedMail[]> {
  return database.transaction(async (tx) => {
    const at = await lockGlobal(tx, 'mail')
    const until = new Date(at.getTime() + MAIL_LEASE_MS)
    const latest = new Date(at.getTime() + 2 * MAIL_LEASE_MS)
    return claimMails(tx, { at, until, latest, limit })
  })
}

export type SendOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly error: string; readonly isPermanent: boolean }
  /** Not attempted, or interrupted by the stop of this process. */
  | { readonly kind: 'released' }

/** Returns what becomes of the email: it was sent, is retried, has failed, or is due again. */
export async function recordSendOutcome(
  database: Database,
  mail: ClaimedMail,
  outcome: SendOutcome,
): Promise<'sent' | 'retried' | 'failed' | 'released'> {
  return database.transaction(async (tx) => {
    if (outcome.kind === 'sent') {
      await markSent(tx, mail)
      return 'sent'
    }
    if (outcome.kind === 'released') {
      await releaseMail(tx, mail)
      return 'released'
    }
    const retryMs = outcome.isPermanent ? null : retryDelayMs(mail.attempts + 1)
    await markFailed(tx, mail, { error: outcome.error, retryMs })
    return retryMs === null ? 'failed' : 'retried'
  })
}

/** Null if there is no such email, or if it has not failed. */
export async function resendMail(
  database: Database,
  actor: Actor,
  mailId: string,
): Promise<ListedMail | null> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const mail = await findMail(tx, mailId)
    if (mail === null || !(await makeMailDue(tx, mailId, leadMsOf(mail.template))))
      return notDone(null)
    const entry = { action: 'mail.resend', subject: `mail:${mailId}`, before: null, after: null }
    return { result: await findMail(tx, mailId), entry }
  })
}

/** Writes a test email and returns it. The audit log records the actor, not the address. */
export async function sendTestMail(
  database: Database,
  mail: MailQueue,
  actor: Actor,
  recipient: Omit<NewMail, 'content'>,
): Promise<ListedMail> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const content = { template: 'test' } as const
    const [row] = await mail.add(tx, [{ ...recipient, content }], await readDatabaseTime(tx))
    const { mailId } = row!
    const entry = { action: 'mail.test', subject: `mail:${mailId}`, before: null, after: null }
    return { result: (await findMail(tx, mailId))!, entry }
  })
}
