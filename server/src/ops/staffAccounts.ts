import type { Locale } from '@florin/shared/locales.js'
import { hash } from '@node-rs/argon2'
import { signDevice, verifyDevice } from '../core/devices.ts'
import { hashToken, mintPassword, mintReference, mintToken, type StoreId } from '../core/ids.ts'
import type { Database, Queryable, Tx } from '../database/database.ts'
import { lockPerson } from '../sql/locks.ts'
import { deletePasswordLinks } from '../sql/passwordLinks.ts'
import { clearSignInGuards } from '../sql/signIns.ts'
import type { StaffSession, staffSessions } from '../sql/staffSessions.ts'
import { type Actor, type AuditedResult, inAuditedTransaction, NOT_DONE } from './auditLog.ts'
import { ADMITTED, type Admit, matchesHash, verifySecret } from './signIns.ts'

export type Account = {
  readonly email: string
  readonly name: string
  readonly locale: Locale | null
  readonly invitedAt: Date | null
  readonly passwordHash: string
  readonly disabledAt: Date | null
}

/** Accounts with an email address and a password: people of stores, or operators. */
export type StaffKind<One extends Account, Owner extends string> = {
  /** Prefix of its actions and subjects in the audit log. */
  readonly noun: string
  /** The path of the page on which it signs in. */
  readonly page: 'dashboard' | 'operator'
  readonly storeOf: (account: One) => StoreId | null
  readonly tokenPrefix: string
  readonly sessionMs: number
  readonly owner: Owner
  readonly idOf: (account: One) => string
  readonly find: (on: Queryable, id: string) => Promise<One | null>
  readonly findByEmail: (on: Queryable, email: string) => Promise<One | null>
  /** False if another account has the email address. */
  readonly insert: (tx: Tx, account: One) => Promise<boolean>
  readonly update: (tx: Tx, account: One) => Promise<void>
  /** The account as the audit log shows it, without the hash. */
  readonly fields: (account: One) => unknown
  readonly sessions: ReturnType<typeof staffSessions<Owner>>
}

/**
 * Failed attempts are counted per subject. A known device and a session have their own count, so a stranger
 * who knows the email address can't lock them out.
 */
const signInSubject = (noun: string, email: string, device: string | null) =>
  device === null ? `${noun}:${email}` : `${noun}:${email} ${device}`

export type SignInAttempt = {
  readonly email: string
  readonly password: string
  /** The language of the page; null if the client didn't say. */
  readonly locale: Locale | null
  readonly userAgent: string
  /** The signed device mark that the browser stored at an earlier sign-in. */
  readonly mark: string | null
  readonly secretKey: Buffer
  readonly admit: Admit
}

export type SignInResult<One, Owner extends string> =
  | {
      readonly kind: 'signed_in'
      readonly token: string
      /** The device mark for the browser to store. */
      readonly mark: string
      readonly account: One
      readonly session: StaffSession<Owner>
    }
  | { readonly kind: 'wrong' | 'locked' | 'throttled' }

/** An unknown email address and a disabled account take as long as a wrong password. */
export async function signInStaff<One extends Account, Owner extends string>(
  database: Database,
  kind: StaffKind<One, Owner>,
  attempt: SignInAttempt,
): Promise<SignInResult<One, Owner>> {
  const { email, password, userAgent } = attempt
  const signing = { key: attempt.secretKey, now: new Date() }
  const account = signInSubject(kind.noun, email, null)
  const ownerOf = (one: One | null) => ({ account, passwordHash: one?.passwordHash ?? null })
  const device =
    attempt.mark === null
      ? null
      : verifyDevice(attempt.mark, ownerOf(await kind.findByEmail(database, email)), signing)
  const subject = signInSubject(kind.noun, email, device)
  const admission = attempt.admit(device && subject)
  if (admission === null) return { kind: 'throttled' }
  const verified = await verifySecret(database, {
    audience: 'staff',
    account,
    subject,
    admission,
    check: async (tx) => {
      const found = await kind.findByEmail(tx, email)
      const isRight = await matchesHash(found?.passwordHash ?? null, password)
      return isRight && found?.disabledAt === null ? found : null
    },
  })
  if (verified.kind !== 'right') return { kind: verified.kind }

  const known = verified.value
  const mark = signDevice(ownerOf(known), signing)
  const token = mintToken(kind.tokenPrefix)
  const id = kind.idOf(known)
  return database.transaction(async (tx) => {
    const createdAt = await lockPerson(tx, id)
    // The password may have been replaced, or the account disabled, while the hash was computed.
    const account = await kind.find(tx, id)
    if (account?.passwordHash !== known.passwordHash || account.disabledAt !== null) {
      return { kind: 'wrong' }
    }
    const session = {
      sessionId: mintReference('ses_', createdAt),
      [kind.owner]: id,
      createdAt,
      lastUsedAt: createdAt,
      userAgent,
      expiresAt: new Date(createdAt.getTime() + kind.sessionMs),
    } as StaffSession<Owner>
    await kind.sessions.insert(tx, { ...session, tokenHash: hashToken(token) })
    if (attempt.locale !== null && attempt.locale !== account.locale) {
      await kind.update(tx, { ...account, locale: attempt.locale })
    }
    return { kind: 'signed_in', token, mark, account, session }
  })
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/
const RECORD_USE_EVERY_MS = 60_000

/** Returns the session of a token. `find` looks it up. Its last use is recorded at most once a minute. */
export async function authenticateStaff<
  Session extends { readonly sessionId: string; readonly lastUsedAt: Date },
>(
  database: Database,
  {
    tokenPrefix,
    sessions,
  }: { tokenPrefix: string; sessions: Pick<ReturnType<typeof staffSessions>, 'setLastUsed'> },
  token: string,
  find: (token: string) => Promise<Session | null>,
): Promise<Session | null> {
  if (!token.startsWith(tokenPrefix) || !TOKEN.test(token.slice(tokenPrefix.length))) return null
  const session = await find(token)
  if (session !== null && Date.now() - session.lastUsedAt.getTime() > RECORD_USE_EVERY_MS) {
    await database.transaction((tx) => sessions.setLastUsed(tx, session.sessionId))
  }
  return session
}

/** Mints a password if none is given. The result shows a minted password, and null otherwise. */
export async function chooseNewPassword(given: string | null) {
  const password = given ?? mintPassword()
  return { passwordHash: await hash(password), shown: given === null ? password : null }
}

/** The result is null if another account has the email address. */
export async function addStaff<One extends Account, Owner extends string>(
  tx: Tx,
  kind: StaffKind<One, Owner>,
  account: One,
): Promise<AuditedResult<One | null>> {
  if (!(await kind.insert(tx, account))) return NOT_DONE
  const subject = `${kind.noun}:${kind.idOf(account)}`
  const after = kind.fields(account)
  return { result: account, entry: { action: `${kind.noun}.create`, subject, before: null, after } }
}

/** Updates an account. A disabled one is signed out everywhere, and its links in mails end. */
export async function updateStaff<One extends Account, Owner extends string>(
  tx: Tx,
  kind: StaffKind<One, Owner>,
  { before, after }: { before: One; after: One },
) {
  const id = kind.idOf(after)
  await kind.update(tx, after)
  if (after.disabledAt !== null) {
    await kind.sessions.deleteAll(tx, { ownerId: id, except: null })
    await deletePasswordLinks(tx, id)
  }
  return {
    action: `${kind.noun}.change`,
    subject: `${kind.noun}:${id}`,
    before: kind.fields(before),
    after: kind.fields(after),
  }
}

/** Sets a minted password, ends all sessions and lifts a lock after failed attempts. */
export async function resetStaffPassword<One extends Account, Owner extends string>(
  database: Database,
  kind: StaffKind<One, Owner>,
  { actor, id }: { actor: Actor; id: string },
): Promise<{ account: One; password: string } | null> {
  const password = mintPassword()
  const passwordHash = await hash(password)
  return inAuditedTransaction(database, actor, async (tx) => {
    await lockPerson(tx, id)
    const account = await kind.find(tx, id)
    if (account === null) return NOT_DONE
    await kind.update(tx, { ...account, passwordHash, invitedAt: null })
    await deletePasswordLinks(tx, id)
    await kind.sessions.deleteAll(tx, { ownerId: id, except: null })
    await unlockStaff(tx, kind, account)
    return { result: { account, password }, entry: passwordEntry(kind.noun, id) }
  })
}

/** Lifts a lock after failed attempts. */
export async function unlockStaff<One extends Account, Owner extends string>(
  tx: Tx,
  { noun }: StaffKind<One, Owner>,
  { email }: One,
): Promise<void> {
  await clearSignInGuards(tx, signInSubject(noun, email, null))
}

/** Verifies the password of a signed-in account. A session has as many attempts as an unknown device. */
export async function verifyOwnPassword<One extends Account, Owner extends string>(
  database: Database,
  kind: StaffKind<One, Owner>,
  { id, sessionId, password }: { id: string; sessionId: string; password: string },
): Promise<One | 'wrong' | 'locked'> {
  const account = await kind.find(database, id)
  if (account === null) return 'wrong'
  const subject = signInSubject(kind.noun, account.email, sessionId)
  const verified = await verifySecret(database, {
    audience: 'staff',
    account: subject,
    subject,
    admission: ADMITTED,
    check: async () => (await matchesHash(account.passwordHash, password)) || null,
  })
  if (verified.kind === 'right') return account
  return verified.kind === 'locked' ? 'locked' : 'wrong'
}

/** Needs the current password, because a session alone is not enough. Ends all other sessions. */
export async function changeStaffPassword<One extends Account, Owner extends string>(
  database: Database,
  kind: StaffKind<One, Owner>,
  change: { actor: Actor; id: string; sessionId: string; current: string; next: string },
): Promise<'changed' | 'wrong' | 'locked'> {
  const { id, sessionId, current } = change
  const known = await verifyOwnPassword(database, kind, { id, sessionId, password: current })
  if (typeof known === 'string') return known
  const passwordHash = await hash(change.next)
  return inAuditedTransaction<'changed' | 'wrong'>(database, change.actor, async (tx) => {
    await lockPerson(tx, id)
    // The password may have been replaced while the hash was computed.
    const account = await kind.find(tx, id)
    if (account?.passwordHash !== known.passwordHash) return { result: 'wrong', entry: null }
    await kind.update(tx, { ...account, passwordHash })
    await deletePasswordLinks(tx, id)
    await kind.sessions.deleteAll(tx, { ownerId: id, except: sessionId })
    return { result: 'changed', entry: passwordEntry(kind.noun, id) }
  })
}

export const passwordEntry = (noun: string, id: string) => ({
  action: `${noun}.password`,
  subject: `${noun}:${id}`,
  before: null,
  after: null,
})
