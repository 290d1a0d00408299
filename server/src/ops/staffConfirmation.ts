import { wireTime } from '../core/calendar.ts'
import { totpCodeOf } from '../core/secondFactor.ts'
import type { Database, Tx } from '../database/database.ts'
import { type Account, type Requester, recordAccountEvent } from './accountNotices.ts'
import { useCode } from './factors.ts'
import {
  type AssertionResponse,
  challengeFor,
  type Site,
  usePasskey,
  verifyAssertion,
} from './passkeys.ts'
import { ADMITTED, matchesHash, verifySecret } from './signIns.ts'
import { type StaffKind, signInSubject } from './staffKind.ts'

type OwnSession = { readonly by: Requester; readonly id: string; readonly sessionId: string }

/** Verifies the password of a signed-in account. */
export async function verifyOwnPassword<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  { password, ...own }: OwnSession & { readonly password: string },
): Promise<StaffAccount | 'wrong' | 'locked'> {
  return verifyOwn(database, kind, {
    ...own,
    method: 'password',
    check: (_tx, account) => matchesHash(account.passwordHash, password),
  })
}

/** Counts wrong attempts per session, so that they don't lock the account. The limit is that of the sign-in. */
async function verifyOwn<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  attempt: OwnSession & {
    readonly method: 'password' | 'code' | 'passkey'
    readonly check: (tx: Tx, account: StaffAccount, at: Date) => Promise<boolean>
  },
): Promise<StaffAccount | 'wrong' | 'locked'> {
  const { by, id, sessionId, method, check } = attempt
  const account = await kind.find(database, id)
  if (account === null) return 'wrong'
  const subject = signInSubject(kind.noun, account.email, sessionId)
  const verified = await verifySecret(database, {
    audience: 'staff',
    account: subject,
    subject,
    admission: ADMITTED,
    check: async (tx, at) => (await check(tx, account, at)) || null,
    onWrong: async (tx, at) => {
      const details = { method, reason: 'confirmation' }
      await recordAccountEvent(tx, by, { id, account, event: 'sign_in_failed', details }, at)
    },
    onLock: async (tx, until, at) => {
      const details = { method, until: wireTime(until) }
      await recordAccountEvent(tx, by, { id, account, event: 'account_locked', details }, at)
    },
  })
  if (verified.kind === 'right') return account
  return verified.kind === 'locked' ? 'locked' : 'wrong'
}

/** Whether the session was confirmed recently enough for a sensitive action. The clock may have been set back since. */
export const isRecentlyConfirmed = (
  { confirmationMs }: { readonly confirmationMs: number },
  { confirmedAt }: { readonly confirmedAt: Date },
  now: Date,
): boolean => Math.abs(now.getTime() - confirmedAt.getTime()) < confirmationMs

export type Confirmation =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly passkey: AssertionResponse }

/** Confirms a session for sensitive actions, with a password, a code of the authenticator app, or a passkey. */
export async function confirmStaff<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  confirming: OwnSession & { readonly confirmation: Confirmation; readonly site: Site },
): Promise<'confirmed' | 'wrong' | 'locked'> {
  const { confirmation, site, ...own } = confirming
  const verified = await verifyConfirmation(database, kind, { own, confirmation, site })
  if (typeof verified === 'string') return verified
  await database.transaction((tx) => kind.sessions.setConfirmed(tx, own.sessionId))
  return 'confirmed'
}

async function verifyConfirmation<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  { own, confirmation, site }: { own: OwnSession; confirmation: Confirmation; site: Site },
): Promise<StaffAccount | 'wrong' | 'locked'> {
  const { id } = own
  if ('password' in confirmation) {
    return verifyOwnPassword(database, kind, { ...own, password: confirmation.password })
  }
  if ('code' in confirmation) {
    const { code } = confirmation
    return verifyOwn(database, kind, {
      ...own,
      method: 'code',
      check: async (tx, _account, at) =>
        totpCodeOf(code) !== null &&
        (await useCode(tx, { id, code, secretKey: site.key, at })) !== null,
    })
  }
  const subject = challengeFor.confirm(id)
  const assertion = await verifyAssertion(database, site, subject, confirmation.passkey)
  return verifyOwn(database, kind, {
    ...own,
    method: 'passkey',
    check: async (tx, _account, at) => {
      if (assertion?.passkey.accountId !== id) return false
      return (await usePasskey(tx, assertion, at)) === 'used'
    },
  })
}
