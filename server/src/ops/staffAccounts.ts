import { hash } from '@node-rs/argon2'
import { deviceIn, signDevice } from '../core/devices.ts'
import { hashToken, mintPassword, mintReference, mintToken } from '../core/ids.ts'
import type { Database, Queryable, Tx } from '../database/database.ts'
import { lockPerson } from '../sql/locks.ts'
import type { AccountSession, accountSessions } from '../sql/staffSessions.ts'
import { clearSignInGuards } from '../sql/walletSessions.ts'
import { type Actor, audited } from './auditLog.ts'
import { ADMITTED, type Admit, isSecretOf, trySecret } from './signIns.ts'

type Account = {
  readonly email: string
  readonly passwordHash: string
  readonly disabledAt: Date | null
}

/** One kind of people who sign in by e-mail address and password: those of stores, and operators. */
export type AccountKind<One extends Account, Owner extends string> = {
  /** What its acts and their subjects are called in the audit log. */
  readonly noun: string
  readonly tokenPrefix: string
  readonly sessionMs: number
  readonly owner: Owner
  readonly idOf: (account: One) => string
  readonly find: (on: Queryable, id: string) => Promise<One | null>
  readonly findByEmail: (on: Queryable, email: string) => Promise<One | null>
  readonly update: (tx: Tx, account: One) => Promise<void>
  readonly sessions: ReturnType<typeof accountSessions<Owner>>
}

/**
 * What wrong tries are counted under. Those from a browser in which the account was opened before, and those
 * within a session, are counted by themselves: a stranger who knows the address closes neither.
 */
export const guardOf = (noun: string, email: string, known: string | null) =>
  known === null ? `${noun}:${email}` : `${noun}:${email} ${known}`

export type SignInAttempt = {
  readonly email: string
  readonly password: string
  readonly userAgent: string
  /** What the browser has kept since somebody signed in there. */
  readonly mark: string | null
  readonly secretKey: Buffer
  readonly admit: Admit
}

export type SignInResult<One, Owner extends string> =
  | {
      readonly kind: 'signed_in'
      readonly token: string
      /** For the browser to keep. */
      readonly mark: string
      readonly account: One
      readonly session: AccountSession<Owner>
    }
  | { readonly kind: 'wrong' | 'locked' | 'throttled' }

/** An address of nobody and somebody who was disabled take as long as a wrong password. */
export async function signInAccount<One extends Account, Owner extends string>(
  database: Database,
  kind: AccountKind<One, Owner>,
  attempt: SignInAttempt,
): Promise<SignInResult<One, Owner>> {
  const { email, password, userAgent } = attempt
  const signing = { key: attempt.secretKey, now: new Date() }
  const account = guardOf(kind.noun, email, null)
  const ownerOf = (one: One | null) => ({ account, passwordHash: one?.passwordHash ?? null })
  const device =
    attempt.mark === null
      ? null
      : deviceIn(attempt.mark, ownerOf(await kind.findByEmail(database, email)), signing)
  const subject = guardOf(kind.noun, email, device)
  const admission = attempt.admit(device && subject)
  if (admission === null) return { kind: 'throttled' }
  const tried = await trySecret(database, {
    audience: 'staff',
    account,
    subject,
    admission,
    check: async (tx) => {
      const found = await kind.findByEmail(tx, email)
      const isRight = await isSecretOf(found?.passwordHash ?? null, password)
      return isRight && found?.disabledAt === null ? found : null
    },
  })
  if (tried.kind !== 'right') return { kind: tried.kind }

  const known = tried.value
  const mark = signDevice(ownerOf(known), signing)
  const token = mintToken(kind.tokenPrefix)
  const id = kind.idOf(known)
  return database.transaction(async (tx) => {
    const createdAt = await lockPerson(tx, id)
    // A password that was replaced while this one was being checked is no longer the right one.
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
    } as AccountSession<Owner>
    await kind.sessions.insert(tx, { ...session, tokenHash: hashToken(token) })
    return { kind: 'signed_in', token, mark, account, session }
  })
}

const NOTE_USE_MS = 60_000

/** That a session was used is noted down by the minute, not each time. */
export async function noteUse<Owner extends string>(
  database: Database,
  sessions: ReturnType<typeof accountSessions<Owner>>,
  { sessionId, lastUsedAt }: { sessionId: string; lastUsedAt: Date },
): Promise<void> {
  if (Date.now() - lastUsedAt.getTime() <= NOTE_USE_MS) return
  await database.transaction((tx) => sessions.setLastUsed(tx, sessionId))
}

/** A new password, made up; ends all sessions, and lets in whom too many wrong ones kept out. */
export async function resetAccountPassword<One extends Account, Owner extends string>(
  database: Database,
  kind: AccountKind<One, Owner>,
  { actor, id }: { actor: Actor; id: string },
): Promise<{ account: One; password: string } | null> {
  const password = mintPassword()
  const passwordHash = await hash(password)
  return audited(database, actor, async (tx) => {
    await lockPerson(tx, id)
    const account = await kind.find(tx, id)
    if (account === null) return { result: null, entry: null }
    await kind.update(tx, { ...account, passwordHash })
    await kind.sessions.deleteAll(tx, { ownerId: id, except: null })
    await clearSignInGuards(tx, guardOf(kind.noun, account.email, null))
    return { result: { account, password }, entry: passwordEntry(kind.noun, id) }
  })
}

/**
 * By the person, who must know the old one: a session alone is not enough, and has as many tries at it
 * as a stranger. Ends all other sessions.
 */
export async function changeAccountPassword<One extends Account, Owner extends string>(
  database: Database,
  kind: AccountKind<One, Owner>,
  change: { actor: Actor; id: string; sessionId: string; current: string; next: string },
): Promise<'changed' | 'wrong' | 'locked'> {
  const { id, sessionId } = change
  const known = await kind.find(database, id)
  if (known === null) return 'wrong'
  const subject = guardOf(kind.noun, known.email, sessionId)
  const tried = await trySecret(database, {
    audience: 'staff',
    account: subject,
    subject,
    admission: ADMITTED,
    check: async () => (await isSecretOf(known.passwordHash, change.current)) || null,
  })
  if (tried.kind !== 'right') return tried.kind === 'locked' ? 'locked' : 'wrong'
  const passwordHash = await hash(change.next)
  return audited<'changed' | 'wrong'>(database, change.actor, async (tx) => {
    await lockPerson(tx, id)
    // A password that was replaced in the meantime is no longer the right one.
    const account = await kind.find(tx, id)
    if (account?.passwordHash !== known.passwordHash) return { result: 'wrong', entry: null }
    await kind.update(tx, { ...account, passwordHash })
    await kind.sessions.deleteAll(tx, { ownerId: id, except: sessionId })
    return { result: 'changed', entry: passwordEntry(kind.noun, id) }
  })
}

const passwordEntry = (noun: string, id: string) => ({
  action: `${noun}.password`,
  subject: `${noun}:${id}`,
  before: null,
  after: null,
})
