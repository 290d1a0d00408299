import { SetupBody, SetupState, SignedInOperator } from '@florin/contract/operators.js'
import { PasswordBody, SignInBody } from '@florin/contract/store.js'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { normaliseEmail } from '../../core/person.ts'
import { isSetupCode } from '../../core/secrets.ts'
import { createFirstOperator, endOperatorSession, OPERATORS } from '../../ops/operators.ts'
import { ADMITTED } from '../../ops/signIns.ts'
import { changeStaffPassword, type SignInAttempt, signInStaff } from '../../ops/staffAccounts.ts'
import type { Service } from '../../service.ts'
import { hasOperators, type SignedInOperator as OperatorSession } from '../../sql/operators.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { userAgentOf } from '../kit/headers.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { isCrossOrigin, operatorCookie } from '../kit/sessionCookie.ts'
import { refusePassword, rememberDevice, signInWithPassword } from '../kit/signIn.ts'
import { signInLimits } from '../kit/signInLimits.ts'
import { sourceOf, throttle } from '../kit/throttle.ts'
import { schemaProblems } from '../kit/validation.ts'

/** Limits the load. The code has 80 bits, so it can't be guessed. */
const CODES_PER_MINUTE = 10

/** Endpoints that need no credentials. */
export function signInRoutes(route: DeclareRoute<null>): void {
  const limits = signInLimits({ arePins: false })
  const wrongCodes = throttle({ perMinute: CODES_PER_MINUTE, maxKeys: 10_000 })

  route('POST /operator/session', {
    operationId: 'signInOperator',
    summary: 'Sign in',
    description: 'Signs in with e-mail address and password. The response sets the session cookie.',
    body: SignInBody,
    data: SignedInOperator,
    ownChecks: true,
    handler: async (call) => {
      const { service, reply } = call
      const signIn = (attempt: SignInAttempt) => signInOperator(service, attempt)
      const result = await signInWithPassword(call, { limits, signIn })
      if (result === null) return reply
      const view = startSession(reply, result)
      rememberDevice(call, result.mark)
      return succeed(reply, 'Signed in', view)
    },
  })

  route('GET /operator/setup', {
    operationId: 'getSetup',
    summary: 'Get the state of the setup',
    description: 'Returns whether the first operator still has to be created.',
    data: SetupState,
    handler: async ({ service, reply }) =>
      succeed(reply, 'Setup', { open: !(await hasOperators(service.database)) }),
  })

  route('POST /operator/setup', {
    operationId: 'setUp',
    summary: 'Create the first operator',
    description:
      'Creates the first operator and signs in. It needs the setup code that the server prints when it starts.',
    body: SetupBody,
    data: SignedInOperator,
    errors: [409],
    ownChecks: true,
    handler: (call) => setUp(call, wrongCodes),
  })
}

/** Endpoints for the signed-in operator. An operator token has no session. */
export function sessionRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/session', {
    operationId: 'getOperatorSession',
    summary: 'Get the session',
    description: 'Returns the signed-in operator and the session.',
    data: SignedInOperator,
    errors: [409],
    handler: async ({ caller, reply }) =>
      caller.operator === null
        ? refuse(reply, 'no_session')
        : succeed(reply, 'Signed in', sessionView(caller.operator)),
  })

  route('DELETE /operator/session', {
    operationId: 'signOutOperator',
    summary: 'Sign out',
    optionalBody: true,
    data: Type.Null(),
    errors: [409],
    handler: async ({ service, caller, request, reply }) => {
      if (caller.operator === null) return refuse(reply, 'no_session')
      await endOperatorSession(service.database, caller.operator)
      service.operatorSessions.forget(operatorCookie.tokenOf(request)!)
      operatorCookie.clear(reply)
      return succeed(reply, 'Signed out', null)
    },
  })

  route('POST /operator/password', {
    operationId: 'changeOperatorPassword',
    summary: 'Change your password',
    description: 'Changes the password of the signed-in operator and ends all other sessions.',
    body: PasswordBody,
    data: Type.Null(),
    errors: [409],
    handler: async ({ service, caller, body, reply }) => {
      if (caller.operator === null) return refuse(reply, 'no_session')
      const { operatorId: id, sessionId } = caller.operator
      const result = await changeStaffPassword(service.database, OPERATORS, {
        actor: caller.actor,
        id,
        sessionId,
        current: body.current,
        next: body.new,
      })
      const refused = refusePassword(reply, result)
      if (refused !== null) return refused
      service.operatorSessions.forgetAll()
      return succeed(reply, 'Password changed', null)
    },
  })
}

const signInOperator = ({ database }: Service, attempt: SignInAttempt) =>
  signInStaff(database, OPERATORS, attempt)

type SignedIn = Extract<Awaited<ReturnType<typeof signInOperator>>, { kind: 'signed_in' }>

function startSession(reply: FastifyReply, { token, account, session }: SignedIn) {
  const { email, name } = account
  operatorCookie.set(reply, token, session.expiresAt)
  return sessionView({ ...session, email, name })
}

function sessionView({ operatorId, email, name, sessionId, expiresAt }: OperatorSession) {
  return {
    operator: { operator_id: operatorId, email, name },
    session: { session_id: sessionId, expires_at: wireTime(expiresAt) },
  }
}

type SetUpCall = Call<null, { body: SetupBody; data: SignedInOperator }>

async function setUp(call: SetUpCall, wrongCodes: ReturnType<typeof throttle>) {
  const { service, body, request, reply } = call
  const { database, secretKey, config } = service
  if (isCrossOrigin(request, { publicUrl: config.publicUrl, requireOrigin: false })) {
    return refuse(reply, 'foreign_origin')
  }
  const problems = schemaProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const isRight = isSetupCode(body.code, secretKey)
  if (!isRight && !wrongCodes.take(sourceOf(request))) {
    return refuse(reply, 'too_many_wrong_credentials')
  }
  if (await hasOperators(database)) return refuse(reply, 'setup_done')
  if (!isRight) return refuse(reply, 'setup_code_wrong')
  const { name, password } = body
  const wanted = { email: normaliseEmail(body.email)!, name, password }
  const operator = await createFirstOperator(database, request.id, wanted)
  if (operator === null) return refuse(reply, 'setup_done')
  const result = await signInOperator(service, {
    email: operator.email,
    password,
    locale: null,
    userAgent: userAgentOf(request),
    mark: null,
    secretKey,
    admit: () => ADMITTED,
  })
  // Another request has already changed this operator, so the setup is done.
  if (result.kind !== 'signed_in') return refuse(reply, 'setup_done')
  return succeed(reply, 'Signed in', startSession(reply, result))
}
