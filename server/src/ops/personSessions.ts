import { hashToken } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import { findSignedIn, personSessions, type SignedIn } from '../store/people.ts'
import { noteUse, signInAccount } from './accounts.ts'
import { PEOPLE } from './people.ts'

const TOKEN = /^flp_[A-Za-z0-9_-]{43}$/

export type PersonSignInResult =
  | { readonly kind: 'signed_in'; readonly token: string; readonly signedIn: SignedIn }
  | { readonly kind: 'wrong' | 'locked' }

export async function signInPerson(
  database: Database,
  attempt: { email: string; password: string; userAgent: string },
): Promise<PersonSignInResult> {
  const result = await signInAccount(database, PEOPLE, attempt)
  if (result.kind !== 'signed_in') return result
  const { token, session } = result
  const { storeId, email, name, role } = result.account
  return { kind: 'signed_in', token, signedIn: { ...session, storeId, email, name, role } }
}

/** Who is signed in by this token. */
export async function useSession(database: Database, token: string): Promise<SignedIn | null> {
  if (!TOKEN.test(token)) return null
  const signedIn = await findSignedIn(database, hashToken(token))
  if (signedIn !== null) await noteUse(database, personSessions, signedIn)
  return signedIn
}

/** False where this person has no such session. */
export async function endSession(
  database: Database,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<boolean> {
  return database.transaction((tx) => personSessions.delete(tx, { ownerId: personId, sessionId }))
}
