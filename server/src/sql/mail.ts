import type { MAIL_STATES } from '@florin/contract/values.js'
import type { Locale } from '@florin/shared/locales.js'
import type { StoreId } from '../core/ids.ts'
import type { Template } from '../core/mail.ts'
import type { Client } from '../core/payment.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { columns } from './columns.ts'

export type MailRow = {
  readonly mailId: string
  readonly recipient: string
  readonly template: Template
  readonly locale: Locale
  /** Encrypted. */
  readonly content: Buffer
  /** The payment that the email is about; null if it is about none. */
  readonly paymentId: string | null
  /** The store whose person sent the email to a customer; null for other emails. */
  readonly senderStoreId: StoreId | null
  /** The store whose client gets the email; null for other emails. */
  readonly clientStoreId: StoreId | null
  readonly createdAt: Date
  /** Emails are sent in the order of this time. */
  readonly dueAt: Date
}

export async function insertMails(tx: Tx, mails: readonly MailRow[]): Promise<void> {
  await tx.execute(
    `insert into mail (
       mail_id, recipient, template, locale, content, payment_id, sender_store_id, client_store_id,
       created_at, due_at)
     select *
     from unnest(
       $1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::int[],
       $8::int[], $9::timestamptz[], $10::timestamptz[])`,
    columns(
      mails,
      'mailId',
      'recipient',
      'template',
      'locale',
      'content',
      'paymentId',
      'senderStoreId',
      'clientStoreId',
      'createdAt',
      'dueAt',
    ),
  )
}

// ── Sending ─────────────────────────────────────────────────────────────────────────────────────

/** An email that only this process may send, until `claimedUntil`. */
export type ClaimedMail = Pick<
  MailRow,
  'mailId' | 'recipient' | 'locale' | 'content' | 'createdAt'
> & {
  /** Failed attempts so far. */
  readonly attempts: number
  readonly claimedUntil: Date
}

/**
 * Claims emails that are due, longest due first. A claim that ends after `latest` was made before the clock was set back, so its
 * process holds it no longer.
 */
export async function claimMails(
  tx: Tx,
  { at, until, latest, limit }: { at: Date; until: Date; latest: Date; limit: number },
): Promise<ClaimedMail[]> {
  return tx.query<ClaimedMail>(
    `update mail
     set claimed_until = $2
     where mail_id in (
       select mail_id
       from mail
       where sent_at is null and failed_at is null and due_at <= $1
         and (claimed_until is null or claimed_until <= $1 or claimed_until > $4)
       order by due_at
       limit $3
     )
     returning mail_id as "mailId", recipient, locale, content, created_at as "createdAt", attempts,
       claimed_until as "claimedUntil"`,
    [at, until, limit, latest],
  )
}

// Changes nothing if another process has claimed the email since: that process may be sending it.
const CLAIMED = 'mail_id = $1 and claimed_until = $2 and sent_at is null'

/** Deletes the content, because a sent email is not sent again. */
export async function markSent(tx: Tx, mail: ClaimedMail): Promise<void> {
  await tx.execute(
    `update mail
     set sent_at = now(), content = null, claimed_until = null, last_error = null
     where ${CLAIMED}`,
    [mail.mailId, mail.claimedUntil],
  )
}

/** Without `retryMs` there are no more attempts. */
export async function markFailed(
  tx: Tx,
  mail: ClaimedMail,
  { error, retryMs }: { error: string; retryMs: number | null },
): Promise<void> {
  await tx.execute(
    `update mail
     set attempts = attempts + 1, claimed_until = null, last_error = $3,
       due_at = now() + coalesce($4::bigint, 0) * interval '1 millisecond',
       failed_at = case when $4::bigint is null then now() end
     where ${CLAIMED}`,
    [mail.mailId, mail.claimedUntil, error, retryMs],
  )
}

/** Releases an email that was claimed but not sent, so that it can be claimed immediately. */
export async function releaseMail(tx: Tx, mail: ClaimedMail): Promise<void> {
  await tx.execute(`update mail set claimed_until = null where ${CLAIMED}`, [
    mail.mailId,
    mail.claimedUntil,
  ])
}

/** Moves queued emails that are due after `latest` to `at`. Returns their number. */
export async function advanceMails(
  tx: Tx,
  { at, latest, limit }: { at: Date; latest: Date; limit: number },
): Promise<number> {
  return tx.execute(
    `update mail
     set due_at = $1
     where mail_id in (
       select mail_id
       from mail
       where sent_at is null and failed_at is null and due_at > $2
       limit $3
     )`,
    [at, latest, limit],
  )
}

/**
 * Makes a failed email due again, `leadMs` ahead of others that become due now, and resets its attempts. False if there is no
 * such email.
 */
export async function makeMailDue(tx: Tx, mailId: string, leadMs: number): Promise<boolean> {
  const changed = await tx.execute(
    `update mail
     set failed_at = null, attempts = 0, due_at = now() - $2::bigint * interval '1 millisecond'
     where mail_id = $1 and failed_at is not null`,
    [mailId, leadMs],
  )
  return changed === 1
}

// ── Listing ─────────────────────────────────────────────────────────────────────────────────────

type MailState = (typeof MAIL_STATES)[number]

export type ListedMail = Pick<
  MailRow,
  'mailId' | 'recipient' | 'template' | 'locale' | 'createdAt'
> & {
  readonly dueAt: Date
  readonly attempts: number
  readonly sentAt: Date | null
  readonly failedAt: Date | null
  readonly lastError: string | null
}

const LISTED = `
  mail_id as "mailId", recipient, template, locale, created_at as "createdAt",
  greatest(created_at, due_at) as "dueAt", attempts, sent_at as "sentAt", failed_at as "failedAt", last_error as "lastError"`

const IN_STATE: Record<MailState, string> = {
  queued: 'sent_at is null and failed_at is null',
  sent: 'sent_at is not null',
  failed: 'failed_at is not null',
}

type MailFilter = {
  readonly state: MailState | null
  readonly recipient: string | null
  /** Only emails older than this one. */
  readonly before: string | null
  readonly limit: number
}

/** Newest first. The statement has only the given conditions, so that each combination gets its own plan. */
export async function listMails(on: Queryable, filter: MailFilter): Promise<ListedMail[]> {
  const values: unknown[] = [filter.limit]
  const conditions = [
    ...(filter.state === null ? [] : [IN_STATE[filter.state]]),
    ...(filter.recipient === null ? [] : [`recipient = $${values.push(filter.recipient)}`]),
    ...(filter.before === null ? [] : [`mail_id < $${values.push(filter.before)}`]),
  ]
  return on.query<ListedMail>(
    `select ${LISTED}
     from mail
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by mail_id desc
     limit $1`,
    values,
  )
}

export async function findMail(on: Queryable, mailId: string): Promise<ListedMail | null> {
  const rows = await on.query<ListedMail>(`select ${LISTED} from mail where mail_id = $1`, [mailId])
  return rows[0] ?? null
}

export type MailQueueState = {
  readonly queued: number
  readonly failed: number
  /** When the oldest queued email was written. */
  readonly oldestAt: Date | null
}

/** Counts the emails that are not sent. Sent emails are too many to count often. */
export async function readMailQueue(on: Queryable): Promise<MailQueueState> {
  const rows = await on.query<MailQueueState>(
    `select
       (select count(*)::int from mail where sent_at is null and failed_at is null) as queued,
       (select count(*)::int from mail where failed_at is not null) as failed,
       (select min(created_at) from mail where sent_at is null and failed_at is null) as "oldestAt"`,
  )
  return rows[0]!
}

// ── Deleting ────────────────────────────────────────────────────────────────────────────────────

/** Deletes emails that were sent or failed before a time, or were due before it and never sent, because mail was turned off. */
export async function sweepMails(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from mail
     where mail_id in (
       (select mail_id from mail where sent_at <= $1 limit $2)
       union all
       (select mail_id from mail where failed_at <= $1 limit $2)
       union all
       (select mail_id
        from mail
        where sent_at is null and failed_at is null and due_at <= $1 and created_at <= $1
        limit $2)
     )`,
    [before, limit],
  )
}

/** The emails that are exported and deleted with a payer. */
const TO_PAYERS = `template in (
  'receipt', 'refund', 'payment_request', 'wallet_activation', 'wallet_signup', 'new_device', 'account_changed')`

export async function listMailsToPayer(
  on: Queryable,
  { recipient, limit }: { recipient: string; limit: number },
): Promise<ListedMail[]> {
  return on.query<ListedMail>(
    `select ${LISTED}
     from mail
     where recipient = $1 and ${TO_PAYERS}
     order by mail_id desc
     limit $2`,
    [recipient, limit],
  )
}

/**
 * The recipients of emails whose address was erased, but which limits still count. An address contains an @, so none is equal to
 * them.
 */
export const ERASED_RECIPIENT = { payer: 'erased payer', client: 'erased client' } as const

/** Erases emails that were sent, or that a process may be sending now. Limits count them. */
const ERASE = `update mail
  set recipient = $1, content = null, sent_at = coalesce(sent_at, now()), claimed_until = null, last_error = null
  where (sent_at is not null or claimed_until is not null)`

/** The emails that the limits of stores count. */
const OF_STORES = '(sender_store_id is not null or client_store_id is not null)'

/** Keeps the activation codes of the last hour and the emails of stores of the last day that were sent, without the address. */
export async function deleteMailsToPayer(
  tx: Tx,
  recipient: string,
  { hourAgo, dayAgo }: { hourAgo: Date; dayAgo: Date },
): Promise<void> {
  await tx.execute(
    `${ERASE} and recipient = $2 and template = 'wallet_activation' and created_at > $3`,
    [ERASED_RECIPIENT.payer, recipient, hourAgo],
  )
  await tx.execute(`${ERASE} and recipient = $2 and ${OF_STORES} and created_at > $3`, [
    ERASED_RECIPIENT.client,
    recipient,
    dayAgo,
  ])
  await tx.execute(`delete from mail where recipient = $1 and ${TO_PAYERS}`, [recipient])
}

/** Deletes the emails about these payments to their clients. Keeps those that were sent since a time, without the address. */
export async function deleteMailsToClients(
  tx: Tx,
  payments: readonly { readonly paymentId: string; readonly client: Client | null }[],
  since: Date,
): Promise<void> {
  const clients = payments.flatMap(({ client }) => (client === null ? [] : [client]))
  const emails = clients.map(({ email }) => email.toLowerCase())
  const paymentIds = payments.map(({ paymentId }) => paymentId)
  await tx.execute(
    `${ERASE} and recipient = any($2) and payment_id = any($3) and ${OF_STORES}
       and created_at > $4`,
    [ERASED_RECIPIENT.client, emails, paymentIds, since],
  )
  await tx.execute('delete from mail where recipient = any($1) and payment_id = any($2)', [
    emails,
    paymentIds,
  ])
}
