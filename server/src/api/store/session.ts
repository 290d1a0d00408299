import {
  ConfirmPasswordBody,
  PasswordBody,
  PersonSessions,
  SessionParams,
  SignedInPerson,
  SignInBody,
} from '@florin/contract/store.js'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { storeProfile } from '../../core/paymentView.ts'
import { refundCapOf, scopesOf } from '../../core/person.ts'
import type { Store } from '../../core/store.ts'
import { isStorable } from '../../core/text.ts'
import { changePassword, confirmPassword, endSession, signInPerson } from '../../ops/people.ts'
import { personSessions, type SignedIn } from '../../sql/people.ts'
import type { StorePerson } from '../kit/authenticate.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import { personCookie } from '../kit/sessionCookie.ts'
import { refusePassword, rememberDevice, signInWithPassword } from '../kit/signIn.ts'
import { signInLimits } from '../kit/signInLimits.ts'

export function signInRoutes(route: DeclareRoute<null>): void {
  const limits = signInLimits({ arePins: false })
  route('POST /store/session', {
    operationId: 'signInPerson',
    summary: 'Sign in to a store',
    description: 'Signs in with e-mail address and password. The response sets the session cookie.',
    body: SignInBody,
    data: SignedInPerson,
    ownChecks: true,
    handler: async (call) => {
      const { service, reply } = call
      const result = await signInWithPassword(call, {
        limits,
        signIn: (attempt) => signInPerson(service.database, attempt),
      })
      if (result === null) return reply
      const { token, mark, signedIn } = result
      const store = (await service.stores.get(signedIn.storeId))!
      personCookie.set(reply, token, signedIn.expiresAt)
      rememberDevice(call, mark)
      return succeed(reply, 'Signed in', signedInView(signedIn, store, service.config.publicUrl))
    },
  })
}

/** These routes have no roles and scopes, so they work in a suspended store too. */
export function sessionRoutes(route: DeclareRoute<StorePerson>): void {
  route('GET /store/session', {
    operationId: 'getPersonSession',
    summary: 'Get the current session',
    description: 'Returns the signed-in person, the store, and the scopes of the role.',
    data: SignedInPerson,
    handler: ({ service, caller, reply }) =>
      succeed(reply, 'Signed in', signedInView(caller, caller.store, service.config.publicUrl)),
  })

  route('DELETE /store/session', {
    operationId: 'signOutPerson',
    summary: 'Sign out',
    optionalBody: true,
    data: Type.Null(),
    handler: async ({ service, caller, request, reply }) => {
      await endSession(service.database, caller)
      service.personSessions.forget(personCookie.tokenOf(request)!)
      personCookie.clear(reply)
      return succeed(reply, 'Signed out', null)
    },
  })

  route('POST /store/session/confirm', {
    operationId: 'confirmPassword',
    summary: 'Confirm your password',
    description: 'Sensitive requests need a password that was confirmed in the last 15 minutes.',
    body: ConfirmPasswordBody,
    data: Type.Null(),
    handler: async ({ service, caller, body, request, reply }) => {
      const { personId, sessionId } = caller
      const { password } = body
      const result = await confirmPassword(service.database, { personId, sessionId, password })
      if (result === 'locked') return refuse(reply, 'account_locked')
      if (result === 'wrong') {
        const message = 'password is not your password'
        return refuseInvalid(reply, [{ field: 'password', message }])
      }
      service.personSessions.forget(personCookie.tokenOf(request)!)
      return succeed(reply, 'Confirmed', null)
    },
  })

  route('GET /store/sessions', {
    operationId: 'listPersonSessions',
    summary: 'List your sessions',
    description: 'Lists the sessions of the signed-in person, newest first.',
    data: PersonSessions,
    handler: async ({ service, caller, reply }) => {
      const sessions = await personSessions.list(service.database, caller.personId)
      return succeed(reply, 'Sessions', {
        sessions: sessions.map((session) => ({
          session_id: session.sessionId,
          created_at: wireTime(session.createdAt),
          last_used_at: wireTime(session.lastUsedAt),
          expires_at: wireTime(session.expiresAt),
          user_agent: session.userAgent,
          current: session.sessionId === caller.sessionId,
        })),
      })
    },
  })

  route('DELETE /store/sessions/:sessionId', {
    operationId: 'endPersonSession',
    summary: 'End a session',
    description: 'Ends one of your own sessions, on any device.',
    params: SessionParams,
    optionalBody: true,
    data: Type.Null(),
    handler: async ({ service, caller, params, reply }) => {
      const { personId } = caller
      const { sessionId } = params
      const isEnded =
        isStorable(sessionId) && (await endSession(service.database, { personId, sessionId }))
      if (!isEnded) return refuse(reply, 'session_unknown')
      service.personSessions.forgetAll()
      return succeed(reply, 'Session ended', null)
    },
  })

  route('POST /store/password', {
    operationId: 'changePassword',
    summary: 'Change your password',
    description: 'Changes your password and ends all your other sessions.',
    body: PasswordBody,
    data: Type.Null(),
    handler: async ({ service, caller, body, reply }) => {
      const { personId, sessionId, actor } = caller
      const change = { personId, sessionId, current: body.current, next: body.new }
      const result = await changePassword(service.database, actor, change)
      const refused = refusePassword(reply, result)
      if (refused !== null) return refused
      service.personSessions.forgetAll()
      return succeed(reply, 'Password changed', null)
    },
  })
}

function signedInView(signedIn: SignedIn, store: Store, publicUrl: string) {
  const { personId, email, name, role, sessionId, expiresAt } = signedIn
  const cap = refundCapOf(role, store)
  return {
    person: { person_id: personId, email, name, role },
    may: scopesOf(role, store),
    refund_cap: cap === null ? null : formatMinor(cap, store.currency),
    session: { session_id: sessionId, expires_at: wireTime(expiresAt) },
    store: {
      id: store.storeId,
      ...storeProfile(store, publicUrl),
      currency: store.currency,
      time_zone: store.timeZone,
      suspended: store.suspended,
    },
  }
}
