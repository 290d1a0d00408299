import { answer, errors } from '@florin/contract/common.js'
import { listOf } from '@florin/contract/fields.js'
import {
  ConfirmPasswordBody,
  PasswordBody,
  PersonSession,
  SessionParams,
  SignedInPerson,
} from '@florin/contract/store.js'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { storeProfile } from '../../core/paymentView.ts'
import { refundCapOf, scopesOf } from '../../core/person.ts'
import type { Store } from '../../core/store.ts'
import { isStorable } from '../../core/text.ts'
import { changePassword } from '../../ops/people.ts'
import { confirmPassword, endSession, signInPerson } from '../../ops/personSessions.ts'
import type { Service } from '../../service.ts'
import { personSessions, type SignedIn } from '../../sql/people.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { personOf } from '../kit/authenticate.ts'
import { acceptJson } from '../kit/bodies.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { personCookie } from '../kit/sessionCookie.ts'
import { refusePassword, signInRoute } from '../kit/signIn.ts'
import { schemaProblems } from '../kit/validation.ts'

/** Signing in, which needs no credentials. */
export async function personSignInRoutes(app: FastifyInstance, service: Service): Promise<void> {
  acceptJson(app)
  const { database } = service
  const { publicUrl } = service.config

  signInRoute(app, service, {
    path: '/store/session',
    docs: {
      tags: docs.tags,
      operationId: 'signInPerson',
      summary: 'Sign in with e-mail address and password; the answer sets the cookie',
    },
    data: SignedInPerson,
    signIn: (attempt) => signInPerson(database, attempt),
    welcome: async (reply, { token, signedIn }) => {
      const store = (await service.stores.get(signedIn.storeId))!
      personCookie.set(reply, token, signedIn.expiresAt)
      return whoAmI(signedIn, store, publicUrl)
    },
  })
}

/** Sessions of the people of a store. They work in a suspended store too. */
export async function storeSessionRoutes(app: FastifyInstance, service: Service): Promise<void> {
  acceptJson(app)
  const { database } = service
  const { publicUrl } = service.config

  app.get(
    '/store/session',
    {
      schema: {
        ...docs,
        operationId: 'getPersonSession',
        summary: 'Who is signed in, for which store, and what the role may do',
        response: { 200: answer(SignedInPerson), ...errors() },
      },
    },
    async (request, reply) => {
      const { store, ...signedIn } = personOf(request)
      return succeed(reply, 'Signed in', whoAmI(signedIn, store, publicUrl))
    },
  )

  app.delete(
    '/store/session',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'signOutPerson',
        summary: 'Sign out',
        response: { 200: answer(Type.Null()), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      await endSession(database, personOf(request))
      service.people.forget(personCookie.tokenOf(request)!)
      personCookie.clear(reply)
      return succeed(reply, 'Signed out', null)
    },
  )

  app.post(
    '/store/session/confirm',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'confirmPassword',
        summary: 'Type the password again, before something sensitive; good for 15 minutes',
        body: ConfirmPasswordBody,
        response: { 200: answer(Type.Null()), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { password } = request.body as { password: string }
      const { personId, sessionId } = personOf(request)
      const result = await confirmPassword(database, { personId, sessionId, password })
      if (result === 'locked') return refuse(reply, 'account_locked')
      if (result === 'wrong') {
        const message = 'password is not your password'
        return refuseInvalid(reply, [{ field: 'password', message }])
      }
      service.people.forget(personCookie.tokenOf(request)!)
      return succeed(reply, 'Confirmed', null)
    },
  )

  app.get(
    '/store/sessions',
    {
      schema: {
        ...docs,
        operationId: 'listPersonSessions',
        summary: 'Where this person is signed in, newest first',
        response: {
          200: answer(Type.Object({ sessions: listOf(PersonSession) })),
          ...errors(),
        },
      },
    },
    async (request, reply) => {
      const { personId, sessionId } = personOf(request)
      const sessions = await personSessions.list(database, personId)
      return succeed(reply, 'Sessions', {
        sessions: sessions.map((session) => ({
          session_id: session.sessionId,
          created_at: wireTime(session.createdAt),
          last_used_at: wireTime(session.lastUsedAt),
          expires_at: wireTime(session.expiresAt),
          user_agent: session.userAgent,
          current: session.sessionId === sessionId,
        })),
      })
    },
  )

  app.delete(
    '/store/sessions/:sessionId',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'endPersonSession',
        summary: 'Sign out one of the own sessions, wherever it is',
        params: SessionParams,
        response: { 200: answer(Type.Null()), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const { personId } = personOf(request)
      const { sessionId } = request.params as { sessionId: string }
      const isEnded = isStorable(sessionId) && (await endSession(database, { personId, sessionId }))
      if (!isEnded) return refuse(reply, 'session_unknown')
      service.people.forgetAll()
      return succeed(reply, 'Session ended', null)
    },
  )

  app.post(
    '/store/password',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'changePassword',
        summary: 'Change the own password; ends all other sessions',
        body: PasswordBody,
        response: { 200: answer(Type.Null()), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { current, new: next } = request.body as { current: string; new: string }
      const { personId, sessionId } = personOf(request)
      const change = { personId, sessionId, current, next }
      const result = await changePassword(database, request.actor!, change)
      const refused = refusePassword(reply, result)
      if (refused !== null) return refused
      service.people.forgetAll()
      return succeed(reply, 'Password changed', null)
    },
  )
}

function whoAmI(signedIn: SignedIn, store: Store, publicUrl: string) {
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
