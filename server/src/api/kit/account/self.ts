import type { Refusal } from '@florin/contract/refusals.js'
import { wireTime } from '../../../core/calendar.ts'
import { secondFactorDueAt } from '../../../core/secondFactor.ts'
import type { Store } from '../../../core/store.ts'
import { isRecentlyConfirmed } from '../../../ops/staffConfirmation.ts'
import type { AccountColumns } from '../../../sql/factors.ts'
import type { SignedInOperator } from '../../../sql/operators.ts'
import type { SignedInPerson } from '../../../sql/people.ts'

/**
 * Marks the routes of the signed-in account. Operator tokens can't call them. `factors`: also callable while a second factor is
 * overdue. `password`: also callable then, and while the password must be changed.
 */
export type OwnAccount = 'password' | 'factors'

/** The signed-in account, whether of a person or an operator. */
export type Self = Omit<AccountColumns, 'accountCreatedAt'> & {
  readonly id: string
  readonly sessionId: string
  readonly signedInAt: Date
  readonly secondFactorDueAt: Date | null
}

type Session = AccountColumns & { readonly sessionId: string; readonly createdAt: Date }

function selfOf(session: Session, id: string, requiredSince: Date | null): Self {
  const { sessionId, email, name, passwordChangeRequired, hasPasskey, hasTotp } = session
  return {
    id,
    sessionId,
    email,
    name,
    passwordChangeRequired,
    hasPasskey,
    hasTotp,
    signedInAt: session.createdAt,
    secondFactorDueAt: secondFactorDueAt({
      requiredSince,
      createdAt: session.accountCreatedAt,
      hasSecondFactor: hasPasskey || hasTotp,
    }),
  }
}

export function selfOfPerson(person: SignedInPerson, { secondFactorSince }: Store): Self {
  const since = secondFactorSince[person.role]
  return selfOf(person, person.personId, since === undefined ? null : new Date(since))
}

export const selfOfOperator = (operator: SignedInOperator): Self =>
  selfOf(operator, operator.operatorId, operator.secondFactorSince)

/** The refusal of most routes while the password must be changed or a second factor is overdue; null if the route is allowed. */
export function accountRefusal(
  { passwordChangeRequired, secondFactorDueAt: dueAt }: Self,
  ownAccount: OwnAccount | undefined,
  now: Date,
): Refusal | null {
  if (ownAccount === 'password') return null
  if (passwordChangeRequired) return 'password_change_required'
  if (ownAccount === 'factors') return null
  return dueAt !== null && dueAt <= now ? 'second_factor_required' : null
}

export const accountState = (self: Self) => ({
  password_change_required: self.passwordChangeRequired,
  has_passkey: self.hasPasskey,
  has_totp: self.hasTotp,
  second_factor_due_at: self.secondFactorDueAt && wireTime(self.secondFactorDueAt),
})

/** The cache of sessions, by token. */
type Sessions<Found> = {
  readonly get: (token: string) => Promise<Found | null>
  readonly forget: (token: string) => void
}

/**
 * Reads a session again if its account must change the password or set up a second factor, because another process may have just
 * done this. Null if the session has ended meanwhile.
 */
export async function readIfRestricted<Found>(
  sessions: Sessions<Found>,
  { token, session, selfOf }: { token: string; session: Found; selfOf: (session: Found) => Self },
): Promise<Found | null> {
  const { passwordChangeRequired, secondFactorDueAt: dueAt } = selfOf(session)
  if (!passwordChangeRequired && dueAt === null) return session
  sessions.forget(token)
  return sessions.get(token)
}

type Confirmed = { readonly confirmedAt: Date }

/** Whether a session was confirmed recently. */
export async function isConfirmed(
  kind: { readonly confirmationMs: number },
  sessions: Sessions<Confirmed>,
  { token, session, now }: { token: string; session: Confirmed; now: Date },
): Promise<boolean> {
  if (isRecentlyConfirmed(kind, session, now)) return true
  // Read the session again, because another process may have just confirmed it.
  sessions.forget(token)
  const current = await sessions.get(token)
  return current !== null && isRecentlyConfirmed(kind, current, now)
}
