import type { Locale } from '@florin/shared/locales.js'
import { hashToken, isToken, mintToken, type StoreId } from '../core/ids.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { lock, lockAccount } from '../sql/locks.ts'
import { countMails } from '../sql/mailCounts.ts'
import {
  deletePasswordLinks,
  findPasswordLink,
  insertPasswordLink,
  type PasswordLink,
} from '../sql/passwordLinks.ts'
import { listPeople } from '../sql/people.ts'
import { type Account, recordAccountEvent } from './accountNotices.ts'
import { type Actor, type AuditedResult, inAuditedTransaction, notDone } from './auditLog.ts'
import { canMail, type MailContext, type MailQueue } from './mail.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { hashPassword } from './signIns.ts'
import { passwordEntry, unlockStaff } from './staffAccounts.ts'
import type { StaffKind } from './staffKind.ts'

const HOUR_MS = 3_600_000
const LIFETIMES_MS = { invitation: 72 * HOUR_MS, reset: HOUR_MS }
const MAX_RESETS_PER_HOUR = 3
const PREFIX = 'fll_'

/**
 * Creates a link, which ends the earlier ones of the account for the same purpose. Returns its address. A reset doesn't end an
 * invitation, because anyone can request a reset.
 */
async function createPasswordLink<StaffAccount extends Account>(
  tx: Tx,
  kind: StaffKind<StaffAccount>,
  account: StaffAccount,
  { purpose, publicUrl }: { purpose: PasswordLink['purpose']; publicUrl: string },
  at: Date,
): Promise<string> {
  const token = mintToken(PREFIX)
  const accountId = kind.idOf(account)
  const expiresAt = new Date(at.getTime() + LIFETIMES_MS[purpose])
  await deletePasswordLinks(tx, accountId, purpose)
  await insertPasswordLink(tx, {
    tokenHash: hashToken(token),
    purpose,
    accountId,
    createdAt: at,
    expiresAt,
  })
  // In the fragment, which browsers don't send to servers.
  return `${publicUrl}/${kind.pageOf(account)}#${purpose}/${token}`
}

/** Whether an invitation can be emailed. If not, a new account without a given password gets a generated one, which is shown. */
export const canInvite = ({ mail }: MailContext, email: string) => canMail(mail, email)

/** The name of the inviting actor, and the store; null for operators. */
type Invitation = {
  readonly invitedBy: string
  readonly store: Pick<Store, 'name' | 'locale'> | null
}

/** Emails a link to choose the first password, in the language of the account or the store. */
export async function addInvitation<StaffAccount extends Account>(
  tx: Tx,
  kind: StaffKind<StaffAccount>,
  account: StaffAccount,
  { mail, publicUrl, invitedBy, store }: MailContext & Invitation,
  at: Date,
): Promise<void> {
  const { email, name } = account
  const locale = account.locale ?? store?.locale ?? 'en'
  const url = await createPasswordLink(tx, kind, account, { purpose: 'invitation', publicUrl }, at)
  const content = {
    template: 'invitation',
    name,
    invitedBy,
    store: store?.name ?? null,
    url,
  } as const
  await mail.add(tx, [{ to: email, locale, content }], at)
}

const MAX_INVITATIONS_PER_HOUR = 3
const MAX_STORE_INVITATIONS_PER_DAY = 50

export type InvitationLimit = 'too_many_invitations' | 'too_many_invitations_today'

/**
 * The limit that an invitation would exceed: of the recipient within an hour, or of the store within a day. The caller
 * holds the lock of the account or of the store.
 */
export async function findInvitationLimit(
  tx: Tx,
  { email, storeId = null }: { email: string; storeId?: StoreId | null },
  at: Date,
): Promise<InvitationLimit | null> {
  const count = (recipients: readonly string[], hours: number) =>
    countMails(tx, {
      recipients,
      template: 'invitation',
      since: new Date(at.getTime() - hours * HOUR_MS),
    })
  if ((await count([email], 1)) >= MAX_INVITATIONS_PER_HOUR) return 'too_many_invitations'
  if (storeId === null) return null
  const people = await listPeople(tx, storeId)
  const sent = await count(
    people.map((person) => person.email),
    24,
  )
  return sent >= MAX_STORE_INVITATIONS_PER_DAY ? 'too_many_invitations_today' : null
}

/** Emails a new invitation, which ends the earlier link. Null if the account has no open invitation. */
export async function resendInvitation<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  { actor, id, invitation }: { actor: Actor; id: string; invitation: MailContext & Invitation },
): Promise<StaffAccount | InvitationLimit | null> {
  return inAuditedTransaction<StaffAccount | InvitationLimit | null>(
    database,
    actor,
    async (tx) => {
      // Lock the account first, like every change of a person, so that payments of the store don't wait for it.
      const accountLockedAt = await lockAccount(tx, id)
      const before = await kind.find(tx, id)
      const storeId = before?.storeId
      const at = storeId === undefined ? accountLockedAt : await lock(tx, { stores: [storeId] })
      if (before === null || before.invitedAt === null || before.disabledAt !== null)
        return notDone(null)
      const limit = await findInvitationLimit(tx, before, at)
      if (limit !== null) return notDone(limit)
      const account = { ...before, invitedAt: at }
      await kind.update(tx, account)
      await addInvitation(tx, kind, account, invitation, at)
      const subject = `${kind.noun}:${id}`
      const entry = { action: `${kind.noun}.invite`, subject, before: null, after: null }
      return { result: account, entry }
    },
  )
}

/**
 * Emails a link to choose a new password, if the account exists, is enabled and got fewer than three in the last hour. The
 * client must not learn whether an email was sent.
 */
export async function requestPasswordReset<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  {
    email,
    actor,
    mail,
    publicUrl,
    locale,
  }: MailContext & { email: string; actor: Actor; locale: Locale },
): Promise<void> {
  const found = await kind.findByEmail(database, email)
  const id = found === null ? '' : kind.idOf(found)
  await database.transaction(async (tx) => {
    // Requests for unknown addresses must not wait for each other.
    const at = await lockAccount(tx, id || email)
    const since = new Date(at.getTime() - HOUR_MS)
    const sent = await countMails(tx, { recipients: [email], template: 'password_reset', since })
    const account = await kind.find(tx, id)
    if (account === null || account.disabledAt !== null || sent >= MAX_RESETS_PER_HOUR) return
    const url = await createPasswordLink(tx, kind, account, { purpose: 'reset', publicUrl }, at)
    const content = { template: 'password_reset', name: account.name, url } as const
    await mail.add(tx, [{ to: email, locale: account.locale ?? locale, content }], at)
    const event = {
      kind: 'password_reset_requested',
      accountId: id,
      storeId: account.storeId ?? null,
    } as const
    await recordSecurityEvent(tx, actor, event, at)
  })
}

/** The account that a link is for. Null if the link is wrong, expired or used, or if the account is disabled. */
export async function openPasswordLink<StaffAccount extends Account>(
  on: Database | Tx,
  kind: StaffKind<StaffAccount>,
  token: string,
): Promise<{ readonly link: PasswordLink; readonly account: StaffAccount } | null> {
  const link = isToken(token, PREFIX) ? await findPasswordLink(on, hashToken(token)) : null
  const account = link && (await kind.find(on, link.accountId))
  return link === null || account === null || account.disabledAt !== null ? null : { link, account }
}

/**
 * Sets the password of the account that a link is for. Ends the link, all sessions, and a lock after failed attempts.
 * Second factors stay. Null if the link is not valid.
 */
export async function choosePasswordByLink<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  {
    token,
    next,
    actorOf,
    mail,
  }: { token: string; next: string; actorOf: (account: StaffAccount) => Actor; mail: MailQueue },
): Promise<StaffAccount | null> {
  const opened = await openPasswordLink(database, kind, token)
  if (opened === null) return null
  const passwordHash = await hashPassword(kind.idOf(opened.account), next)
  const actor = actorOf(opened.account)
  return inAuditedTransaction(
    database,
    actor,
    async (tx): Promise<AuditedResult<StaffAccount | null>> => {
      const id = kind.idOf(opened.account)
      const at = await lockAccount(tx, id)
      // The link may have been used, or the account disabled, while the hash was computed.
      const current = await openPasswordLink(tx, kind, token)
      if (current === null) return notDone(null)
      const account = {
        ...current.account,
        passwordHash,
        passwordChangeRequired: false,
        invitedAt: null,
      }
      await kind.update(tx, account)
      await deletePasswordLinks(tx, id)
      await kind.sessions.deleteAll(tx, { ownerId: id, except: null })
      await unlockStaff(tx, kind, account)
      const isReset = current.link.purpose === 'reset'
      const notice = { id, account, event: 'password_reset' } as const
      const by = { actor, locale: account.locale ?? 'en', mail } as const
      await recordAccountEvent(tx, by, isReset ? { ...notice, change: 'password' } : notice, at)
      return { result: account, entry: passwordEntry(kind.noun, id) }
    },
  )
}
