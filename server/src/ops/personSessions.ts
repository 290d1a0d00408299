import { hashToken, mintReference, mintToken } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import { lockPerson } from '../store/locks.ts'
import {
  deletePersonSession,
  findPerson,
  findPersonByEmail,
  findSignedIn,
  insertPersonSession,
  type SignedIn,
  setConfirmed,
  setLastUsed,
} from '../store/people.ts'
import { clearSignInGuard } from '../store/sessions.ts'
import { personGuard } from './people.ts'
import { beginTry, isSecretOf } from './signIns.ts'

/** A long shift. It does not slide: a till that nobody signs out is closed the next morning. */
export const PERSON_SESSION_MS = 12 * 3_600_000

const TOKEN = /^flp_[A-Za-z0-9_-]{43}$/

export type PersonSignInResult =
  | { readonly kind: 'signed_in'; readonly token: string; readonly signedIn: SignedIn }
  | { readonly kind: 'wrong' | 'locked' }

/** An address of nobody and somebody who was disabled take as long as a wrong password. */
export async function signInPerson(
  database: Database,
  { email, password, userAgent }: { email: string; password: string; userAgent: string },
): Promise<PersonSignInResult> {
  const guard = personGuard(email)
  if (!(await beginTry(database, guard)).mayTry) return { kind: 'locked' }
  const known = await findPersonByEmail(database, email)
  const isRight = await isSecretOf(known?.passwordHash ?? null, password)
  if (known === null || !isRight) return { kind: 'wrong' }

  const token = mintToken('flp_')
  return database.transaction(async (tx) => {
    const createdAt = await lockPerson(tx, known.personId)
    // A password that was replaced while this one was being checked is no longer the right one.
    const person = await findPerson(tx, known.personId)
    if (person?.passwordHash !== known.passwordHash || person.disabledAt !== null) {
      return { kind: 'wrong' }
    }
    await clearSignInGuard(tx, guard)
    const { personId, storeId, name, role } = person
    const session = {
      sessionId: mintReference('ses_', createdAt),
      ...{ personId, createdAt, lastUsedAt: createdAt, userAgent },
      expiresAt: new Date(createdAt.getTime() + PERSON_SESSION_MS),
    }
    await insertPersonSession(tx, { ...session, tokenHash: hashToken(token) })
    const signedIn = { ...session, confirmedAt: createdAt, storeId, email, name, role }
    return { kind: 'signed_in', token, signedIn }
  })
}

const NOTE_USE_MS = 60_000

/** Who is signed in by this token. That it was used is noted down by the minute, not each time. */
export async function useSession(database: Database, token: string): Promise<SignedIn | null> {
  if (!TOKEN.test(token)) return null
  const signedIn = await findSignedIn(database, hashToken(token))
  if (signedIn !== null && Date.now() - signedIn.lastUsedAt.getTime() > NOTE_USE_MS) {
    await database.transaction((tx) => setLastUsed(tx, signedIn.sessionId))
  }
  return signedIn
}

const CONFIRMED_MS = 15 * 60_000

/** Whether the password was typed so lately that it need not be asked for again. */
export const isRecentlyConfirmed = ({ confirmedAt }: SignedIn): boolean =>
  Date.now() - confirmedAt.getTime() < CONFIRMED_MS

/** The password once more, before something sensitive; wrong ones count as wrong sign-ins do. */
export async function confirmPassword(
  database: Database,
  { personId, sessionId, password }: { personId: string; sessionId: string; password: string },
): Promise<'confirmed' | 'wrong' | 'locked'> {
  const person = await findPerson(database, personId)
  if (person === null) return 'wrong'
  const guard = personGuard(person.email)
  if (!(await beginTry(database, guard)).mayTry) return 'locked'
  if (!(await isSecretOf(person.passwordHash, password))) return 'wrong'
  await database.transaction(async (tx) => {
    await clearSignInGuard(tx, guard)
    await setConfirmed(tx, sessionId)
  })
  return 'confirmed'
}

/** False where this person has no such session. */
export async function endSession(
  database: Database,
  session: { personId: string; sessionId: string },
): Promise<boolean> {
  return database.transaction((tx) => deletePersonSession(tx, session))
}
