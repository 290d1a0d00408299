import { ConfirmBody, PasskeyOptions } from '@florin/contract/account.js'
import { PasswordBody, PersonSessions, SessionParams } from '@florin/contract/people.js'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../../core/calendar.ts'
import { isStorable } from '../../../core/text.ts'
import type { Account } from '../../../ops/accountNotices.ts'
import { challengeFor, createAssertionOptions } from '../../../ops/passkeys.ts'
import {
  changeStaffPassword,
  endOtherStaffSessions,
  endStaffSession,
} from '../../../ops/staffAccounts.ts'
import { type Confirmation, confirmStaff } from '../../../ops/staffConfirmation.ts'
import { listPasskeys } from '../../../sql/passkeys.ts'
import type { ActingCaller } from '../audiences.ts'
import { problemOf } from '../http/validation.ts'
import { refuse, refuseField, refuseInvalid, succeed } from '../replies.ts'
import type { Call, DeclareRoute } from '../route.ts'
import { type Accounts, ownAccount, requesterOf, siteOf } from './accounts.ts'
import { passwordProblems } from './passwordProblems.ts'
import type { Self } from './self.ts'

/**
 * For this long after sign-in, a password that must be changed can be replaced without entering it again, unless the
 * account has a passkey.
 */
const RECENT_SIGN_IN_MS = 15 * 60_000

/** Sessions and password of the signed-in account. The routes have no roles, so they also work in a suspended store. */
export function accountSessionRoutes<Caller extends ActingCaller, StaffAccount extends Account>(
  route: DeclareRoute<Caller>,
  accounts: Accounts<Caller, StaffAccount>,
): void {
  const { kind, path, noun, operationIds, errors, selfOf, cookie, sessionsOf } = accounts

  route(`DELETE ${path}/session`, {
    operationId: `signOut${noun}`,
    summary: 'Sign out',
    ...ownAccount(path, 'password'),
    hasOptionalBody: true,
    data: Type.Null(),
    errors,
    handler: async (call) => {
      const { service, caller, request, reply } = call
      const { id, sessionId } = selfOf(caller)
      await endStaffSession(service.database, kind, {
        by: requesterOf(call),
        id,
        sessionId,
        endedId: sessionId,
      })
      sessionsOf(service).forget(cookie.tokenOf(request)!)
      cookie.clear(reply)
      return succeed(reply, 'Signed out', null)
    },
  })

  route(`POST ${path}/session/confirm/options`, {
    operationId: `get${noun}ConfirmationOptions`,
    summary: 'Start a confirmation with a passkey',
    description: 'Returns the options for the browser. Only your own passkeys are accepted.',
    ...ownAccount(path, 'factors'),
    hasOptionalBody: true,
    data: PasskeyOptions,
    errors,
    handler: async ({ service, caller, reply }) => {
      const { id } = selfOf(caller)
      const passkeys = await listPasskeys(service.database, id)
      const options = await createAssertionOptions(
        siteOf(service),
        challengeFor.confirm(id),
        passkeys,
      )
      return succeed(reply, 'Options', { options })
    },
  })

  route(`POST ${path}/session/confirm`, {
    operationId: operationIds.confirm,
    summary: 'Confirm that it is you',
    description: `Takes your password, a code from your authenticator app, or a passkey. Sensitive requests need a confirmation in the last ${kind.confirmationMs / 60_000} minutes. Signing in counts as one.`,
    ...ownAccount(path, 'factors'),
    body: ConfirmBody,
    data: Type.Null(),
    errors,
    handler: async (call) => {
      const { service, caller, body, request, reply } = call
      const confirmation = confirmationOf(body)
      if (confirmation === null) {
        const message = 'Send exactly one of password, code and passkey'
        return refuseInvalid(reply, [{ field: 'password', message }])
      }
      const { id, sessionId } = selfOf(caller)
      const result = await confirmStaff(service.database, kind, {
        by: requesterOf(call),
        id,
        sessionId,
        confirmation,
        site: siteOf(service),
      })
      if (result === 'locked') return refuse(reply, 'account_locked')
      if (result === 'wrong') return refuseInvalid(reply, [wrongConfirmation(confirmation)])
      sessionsOf(service).forget(cookie.tokenOf(request)!)
      return succeed(reply, 'Confirmed', null)
    },
  })

  route(`GET ${path}/sessions`, {
    operationId: `list${noun}Sessions`,
    summary: 'List your sessions',
    description: 'Lists your own sessions, newest first.',
    ...ownAccount(path, 'factors'),
    data: PersonSessions,
    errors,
    handler: async ({ service, caller, reply }) => {
      const { id, sessionId } = selfOf(caller)
      const sessions = await kind.sessions.list(service.database, id)
      return succeed(reply, 'Sessions', {
        sessions: sessions.map((session) => ({
          session_id: session.sessionId,
          created_at: wireTime(session.createdAt),
          last_used_at: wireTime(session.lastUsedAt),
          expires_at: wireTime(session.expiresAt),
          user_agent: session.userAgent,
          address: session.address,
          current: session.sessionId === sessionId,
        })),
      })
    },
  })

  route(`DELETE ${path}/sessions`, {
    operationId: `endOther${noun}Sessions`,
    summary: 'End all other sessions',
    description: 'Ends all your sessions except the current one.',
    ...ownAccount(path, 'factors'),
    hasOptionalBody: true,
    data: Type.Null(),
    errors,
    handler: async (call) => {
      const { service, caller, reply } = call
      const { id, sessionId } = selfOf(caller)
      await endOtherStaffSessions(service.database, kind, { by: requesterOf(call), id, sessionId })
      sessionsOf(service).forgetAll()
      return succeed(reply, 'Sessions ended', null)
    },
  })

  route(`DELETE ${path}/sessions/:sessionId`, {
    operationId: `end${noun}Session`,
    summary: 'End a session',
    description: 'Ends one of your own sessions, on any device.',
    ...ownAccount(path, 'factors'),
    params: SessionParams,
    hasOptionalBody: true,
    data: Type.Null(),
    errors,
    handler: async (call) => {
      const { service, caller, params, reply } = call
      const { id, sessionId } = selfOf(caller)
      const endedId = params.sessionId
      const isEnded =
        isStorable(endedId) &&
        (await endStaffSession(service.database, kind, {
          by: requesterOf(call),
          id,
          sessionId,
          endedId,
        }))
      if (!isEnded) return refuse(reply, 'session_unknown')
      sessionsOf(service).forgetAll()
      return succeed(reply, 'Session ended', null)
    },
  })

  route(`POST ${path}/password`, {
    operationId: operationIds.changePassword,
    summary: 'Change your password',
    description:
      'Changes your password and ends all your other sessions. The most common passwords and your email address are refused.',
    ...ownAccount(path, 'password'),
    body: PasswordBody,
    data: Type.Null(),
    errors,
    handler: (call) => changePassword(call, accounts),
  })
}

type PasswordCall<Caller> = Call<Caller, { body: PasswordBody; data: null }>

async function changePassword<Caller extends ActingCaller, StaffAccount extends Account>(
  call: PasswordCall<Caller>,
  { kind, selfOf, sessionsOf }: Accounts<Caller, StaffAccount>,
): Promise<FastifyReply> {
  const { service, caller, body, reply } = call
  const self = selfOf(caller)
  const { current = null, new: next } = body
  const problems = passwordProblems('new', next, self.email)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  if (current === null && !mayOmitCurrent(self, service.clock.now())) {
    return refuseField(reply, 'current', 'is required')
  }
  const { id, sessionId } = self
  const change = { by: requesterOf(call), id, sessionId, current, next }
  const result = await changeStaffPassword(service.database, kind, change)
  if (result === 'locked') return refuse(reply, 'account_locked')
  if (result === 'wrong') return refuseField(reply, 'current', 'is not your password')
  if (result === 'same') return refuseField(reply, 'new', 'must differ from your current password')
  sessionsOf(service).forgetAll()
  return succeed(reply, 'Password changed', null)
}

/** Whether the current password may be absent. Not with a passkey, which may have opened the session without the password. */
const mayOmitCurrent = (self: Self, now: Date): boolean =>
  self.passwordChangeRequired &&
  !self.hasPasskey &&
  now.getTime() - self.signedInAt.getTime() < RECENT_SIGN_IN_MS

/** Null unless the body has exactly one of password, code and passkey. */
function confirmationOf({ password, code, passkey }: ConfirmBody): Confirmation | null {
  const sent: Confirmation[] = []
  if (typeof password === 'string') sent.push({ password })
  if (typeof code === 'string') sent.push({ code })
  if (passkey !== undefined) sent.push({ passkey })
  return sent.length === 1 ? sent[0]! : null
}

function wrongConfirmation(confirmation: Confirmation) {
  if ('password' in confirmation) return problemOf('password', 'is wrong')
  return 'code' in confirmation
    ? problemOf('code', 'is wrong or was used before')
    : problemOf('passkey', 'was not accepted')
}
