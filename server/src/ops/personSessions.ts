import type { Database } from '../database/database.ts'
import { findPerson, personSessions, type SignedIn, setConfirmed } from '../sql/people.ts'
import { PEOPLE } from './people.ts'
import { ADMITTED, isSecretOf, trySecret } from './signIns.ts'
import { guardOf, noteUse, type SignInAttempt, signInAccount } from './staffAccounts.ts'

const TOKEN = /^flp_[A-Za-z0-9_-]{43}$/

export type PersonSignInResult =
  | {
      readonly kind: 'signed_in'
      readonly token: string
      readonly mark: string
      readonly signedIn: SignedIn
    }
  | { readonly kind: 'wrong' | 'locked' | 'throttled' }

export async function signInPerson(
  database: Database,
  attempt: SignInAttempt,
): Promise<PersonSignInResult> {
  const result = await signInAccount(database, PEOPLE, attempt)
  if (result.kind !== 'signed_in') return result
  const { token, mark, session } = result
  const { storeId, email, name, role } = result.account
  const signedIn = { ...session, confirmedAt: session.createdAt, storeId, email, name, role }
  return { kind: 'signed_in', token, mark, signedIn }
}

/** Returns the person who is signed in with this token. `find` looks up the session. */
export async function useSession(
  database: Database,
  token: string,
  find: (token: string) => Promise<SignedIn | null>,
): Promise<SignedIn | null> {
  if (!TOKEN.test(token)) return null
  const signedIn = await find(token)
  if (signedIn !== null) await noteUse(database, personSessions, signedIn)
  return signedIn
}

const CONFIRMED_MS = 15 * 60_000

/** Whether the password was typed so lately that it need not be asked for again. */
export const isRecentlyConfirmed = ({ confirmedAt }: SignedIn, now: Date): boolean =>
  now.getTime() - confirmedAt.getTime() < CONFIRMED_MS

/** The password once more, before something sensitive; a session has as many tries as a stranger. */
export async function confirmPassword(
  database: Database,
  { personId, sessionId, password }: { personId: string; sessionId: string; password: string },
): Promise<'confirmed' | 'wrong' | 'locked'> {
  const person = await findPerson(database, personId)
  if (person === null) return 'wrong'
  const subject = guardOf(PEOPLE.noun, person.email, sessionId)
  const tried = await trySecret(database, {
    audience: 'staff',
    account: subject,
    subject,
    admission: ADMITTED,
    check: async () => (await isSecretOf(person.passwordHash, password)) || null,
  })
  if (tried.kind !== 'right') return tried.kind === 'locked' ? 'locked' : 'wrong'
  await database.transaction((tx) => setConfirmed(tx, sessionId))
  return 'confirmed'
}

/** False where this person has no such session. */
export async function endSession(
  database: Database,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<boolean> {
  return database.transaction((tx) => personSessions.delete(tx, { ownerId: personId, sessionId }))
}
