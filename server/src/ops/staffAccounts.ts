import { hash } from '@node-rs/argon2'
import { mintPassword } from '../core/ids.ts'
import type { Database, Tx } from '../database/database.ts'
import { lockAccount } from '../sql/locks.ts'
import { deletePasswordLinks } from '../sql/passwordLinks.ts'
import { clearSignInGuards } from '../sql/signIns.ts'
import type { createStaffSessions } from '../sql/staffSessions.ts'
import { type Account, type Requester, recordAccountEvent } from './accountNotices.ts'
import { type Actor, type AuditedResult, inAuditedTransaction, notDone } from './auditLog.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { hashPassword, inPasswordSlot, matchesHash } from './signIns.ts'
import { verifyOwnPassword } from './staffConfirmation.ts'
import { type StaffKind, signInSubject } from './staffKind.ts'

const RECORD_USE_EVERY_MS = 60_000

/** Records the last use of a session, at most once a minute. Returns the session. */
export async function recordStaffUse<
  Session extends { readonly sessionId: string; readonly lastUsedAt: Date },
>(
  database: Database,
  { sessions }: { sessions: Pick<ReturnType<typeof createStaffSessions>, 'setLastUsed'> },
  { session, now }: { session: Session | null; now: Date },
): Promise<Session | null> {
  if (session !== null && now.getTime() - session.lastUsedAt.getTime() > RECORD_USE_EVERY_MS) {
    await database.transaction((tx) => sessions.setLastUsed(tx, session.sessionId))
  }
  return session
}

/** Mints a password if none is given. `minted` is null if one was given. */
export async function chooseNewPassword(actor: Actor, given: string | null) {
  const password = given ?? mintPassword()
  const passwordHash = await hashPassword(actor.name, password)
  return { passwordHash, minted: given === null ? password : null }
}

/** The result is null if another account has the email address. */
export async function addStaff<StaffAccount extends Account>(
  tx: Tx,
  kind: StaffKind<StaffAccount>,
  { actor, account }: { actor: Actor; account: StaffAccount },
): Promise<AuditedResult<StaffAccount | null>> {
  if (!(await kind.insert(tx, account))) return notDone(null)
  const id = kind.idOf(account)
  const { storeId = null, createdAt } = account
  const created = { kind: 'account_created', accountId: id, storeId } as const
  await recordSecurityEvent(tx, actor, created, createdAt)
  const subject = `${kind.noun}:${id}`
  const after = kind.fields(account)
  return { result: account, entry: { action: `${kind.noun}.create`, subject, before: null, after } }
}

/** Updates an account. A disabled one is signed out everywhere, and its links in emails end. */
export async function updateStaff<StaffAccount extends Account>(
  tx: Tx,
  kind: StaffKind<StaffAccount>,
  {
    actor,
    before,
    after,
    at,
  }: { actor: Actor; before: StaffAccount; after: StaffAccount; at: Date },
) {
  const id = kind.idOf(after)
  await kind.update(tx, after)
  if (after.disabledAt !== null) {
    await kind.sessions.deleteAll(tx, { ownerId: id, except: null })
    await deletePasswordLinks(tx, id)
  }
  const { storeId = null } = after
  const isDisabled = after.disabledAt !== null
  if (isDisabled !== (before.disabledAt !== null)) {
    const event = isDisabled ? 'account_disabled' : 'account_enabled'
    await recordSecurityEvent(tx, actor, { kind: event, accountId: id, storeId }, at)
  }
  if (before.role !== after.role) {
    const details = { before: before.role, after: after.role }
    const changed = { kind: 'role_changed', accountId: id, storeId, details } as const
    await recordSecurityEvent(tx, actor, changed, at)
  }
  return {
    action: `${kind.noun}.change`,
    subject: `${kind.noun}:${id}`,
    before: kind.fields(before),
    after: kind.fields(after),
  }
}

/** Sets a minted password, ends all sessions and lifts a lock after failed attempts. Null for an unknown account. */
export async function resetStaffPassword<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  {
    by,
    id,
    passwordChangeRequired = true,
  }: { by: Requester; id: string; passwordChangeRequired?: boolean },
): Promise<{ account: StaffAccount; password: string } | null> {
  const password = mintPassword()
  const passwordHash = await hashPassword(by.actor.name, password)
  return inAuditedTransaction(database, by.actor, async (tx) => {
    const at = await lockAccount(tx, id)
    const before = await kind.find(tx, id)
    if (before === null) return notDone(null)
    const account = { ...before, passwordHash, passwordChangeRequired, invitedAt: null }
    await kind.update(tx, account)
    await deletePasswordLinks(tx, id)
    await kind.sessions.deleteAll(tx, { ownerId: id, except: null })
    await unlockStaff(tx, kind, account)
    const notice = { id, account, event: 'password_reset', change: 'password' } as const
    await recordAccountEvent(tx, by, notice, at)
    return { result: { account, password }, entry: passwordEntry(kind.noun, id) }
  })
}

/** Lifts a lock after failed attempts. */
export async function unlockStaff<StaffAccount extends Account>(
  tx: Tx,
  { noun }: StaffKind<StaffAccount>,
  { email }: StaffAccount,
): Promise<void> {
  await clearSignInGuards(tx, signInSubject(noun, email, null))
}

type PasswordChange = {
  readonly by: Requester
  readonly id: string
  readonly sessionId: string
  /** Null if the session was opened recently with a password that must be changed. */
  readonly current: string | null
  readonly next: string
}

/** Ends all other sessions. */
export async function changeStaffPassword<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  { by, id, sessionId, current, next }: PasswordChange,
): Promise<'changed' | 'wrong' | 'locked' | 'same'> {
  const verified =
    current === null
      ? await kind.find(database, id)
      : await verifyOwnPassword(database, kind, { by, id, sessionId, password: current })
  if (verified === null) return 'wrong'
  if (typeof verified === 'string') return verified
  const passwordHash = await inPasswordSlot(id, async () =>
    // A password that another person chose or saw must not be kept.
    (await matchesHash(verified.passwordHash, next)) ? null : hash(next),
  )
  if (passwordHash === null) return 'same'
  return inAuditedTransaction<'changed' | 'wrong'>(database, by.actor, async (tx) => {
    const at = await lockAccount(tx, id)
    // The password may have been replaced while the hash was computed.
    const account = await kind.find(tx, id)
    if (account?.passwordHash !== verified.passwordHash) return notDone('wrong')
    await kind.update(tx, { ...account, passwordHash, passwordChangeRequired: false })
    await deletePasswordLinks(tx, id)
    await kind.sessions.deleteAll(tx, { ownerId: id, except: sessionId })
    const notice = { id, account, event: 'password_changed', change: 'password' } as const
    await recordAccountEvent(tx, by, notice, at)
    return { result: 'changed', entry: passwordEntry(kind.noun, id) }
  })
}

export const passwordEntry = (noun: string, id: string) => ({
  action: `${noun}.password`,
  subject: `${noun}:${id}`,
  before: null,
  after: null,
})

/** Ends a session of the account: the current one, which is a sign-out, or another one. False if there is none. */
export async function endStaffSession<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  { by, id, sessionId, endedId }: { by: Requester; id: string; sessionId: string; endedId: string },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const at = await lockAccount(tx, id)
    const isEnded = await kind.sessions.delete(tx, { ownerId: id, sessionId: endedId })
    const account = await kind.find(tx, id)
    if (!isEnded || account === null) return false
    const event = endedId === sessionId ? 'sign_out' : 'session_ended'
    await recordAccountEvent(tx, by, { id, account, event }, at)
    return true
  })
}

/** Ends all sessions of the account except this one. */
export async function endOtherStaffSessions<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  { by, id, sessionId }: { by: Requester; id: string; sessionId: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    const at = await lockAccount(tx, id)
    await kind.sessions.deleteAll(tx, { ownerId: id, except: sessionId })
    const account = (await kind.find(tx, id))!
    await recordAccountEvent(
      tx,
      by,
      { id, account, event: 'session_ended', details: { all: true } },
      at,
    )
  })
}
