import { answer, errors } from '@florin/contract/common.js'
import {
  SetupBody,
  SetupState,
  SignedInOperator as SignedInOperatorSchema,
} from '@florin/contract/operators.js'
import { SignInBody } from '@florin/contract/store.js'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { normaliseEmail } from '../../core/person.ts'
import { isSetupCode } from '../../core/secrets.ts'
import { type SignInAttempt, signInAccount } from '../../ops/accounts.ts'
import { createFirstOperator, OPERATORS } from '../../ops/operators.ts'
import { ADMITTED } from '../../ops/signIns.ts'
import type { Service } from '../../service.ts'
import { isAnyOperator, type SignedInOperator } from '../../sql/operators.ts'
import { OPERATOR_DOCS as docs, OPERATOR, withoutCredentials } from '../kit/audiences.ts'
import { acceptJson } from '../kit/bodies.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { routesFor } from '../kit/route.ts'
import { isForeign, operatorCookie } from '../kit/sessionCookie.ts'
import { rememberDevice, signInWithPassword, userAgentOf } from '../kit/signIn.ts'
import { signInLimits } from '../kit/signInLimits.ts'
import { sourceOf, throttle } from '../kit/throttle.ts'
import { schemaProblems } from '../kit/validation.ts'

/** The code has eighty bits; this is for the machine's sake. */
const CODES_PER_MINUTE = 10

/** How operators come in, and how the first one comes to be. Everything here is open to strangers. */
export async function operatorSignInRoutes(app: FastifyInstance, service: Service): Promise<void> {
  acceptJson(app)
  const { database, secretKey } = service
  const { publicUrl } = service.config
  const wrongCodes = throttle({ perMinute: CODES_PER_MINUTE, maxKeys: 10_000 })

  const signIn = (attempt: SignInAttempt) => signInAccount(database, OPERATORS, attempt)
  type SignedIn = Extract<Awaited<ReturnType<typeof signIn>>, { kind: 'signed_in' }>
  function welcome(reply: FastifyReply, { token, account, session }: SignedIn) {
    const { email, name } = account
    operatorCookie.set(reply, token, session.expiresAt)
    return operatorWhoAmI({ ...session, email, name })
  }

  const route = await routesFor(app, service, withoutCredentials(OPERATOR))
  const limits = signInLimits({ arePins: false })
  route({
    method: 'POST',
    path: '/operator/session',
    operationId: 'signInOperator',
    summary: 'Sign in as an operator',
    description: 'Signs in with e-mail address and password. The response sets the session cookie.',
    body: SignInBody,
    data: SignedInOperatorSchema,
    ownChecks: true,
    handler: async (call) => {
      const result = await signInWithPassword(call, { limits, signIn })
      if (result === null) return call.reply
      const view = welcome(call.reply, result)
      rememberDevice(call, result.mark)
      return succeed(call.reply, 'Signed in', view)
    },
  })

  app.get(
    '/operator/setup',
    {
      schema: {
        tags: docs.tags,
        operationId: 'getSetup',
        summary: 'Whether the service is still to be set up',
        response: { 200: answer(SetupState), ...errors() },
      },
    },
    async (_request, reply) => succeed(reply, 'Setup', { open: !(await isAnyOperator(database)) }),
  )

  app.post(
    '/operator/setup',
    {
      attachValidation: true,
      schema: {
        tags: docs.tags,
        operationId: 'setUp',
        summary: 'Make the first operator, with the code that the server printed, and sign in',
        body: SetupBody,
        response: { 200: answer(SignedInOperatorSchema), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      if (isForeign(request, { publicUrl, mustTell: false })) return refuse(reply, 'foreign_origin')
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const fields = request.body as Record<'code' | 'email' | 'name' | 'password', string>
      const isRight = isSetupCode(fields.code, secretKey)
      if (!isRight && !wrongCodes.take(sourceOf(request))) {
        return refuse(reply, 'too_many_wrong_credentials')
      }
      if (await isAnyOperator(database)) return refuse(reply, 'setup_done')
      if (!isRight) return refuse(reply, 'setup_code_wrong')
      const { name, password } = fields
      const wanted = { email: normaliseEmail(fields.email)!, name, password }
      const operator = await createFirstOperator(database, request.id, wanted)
      if (operator === null) return refuse(reply, 'setup_done')
      const { email } = operator
      const result = await signIn({
        email,
        password,
        userAgent: userAgentOf(request),
        mark: null,
        secretKey,
        admit: () => ADMITTED,
      })
      // Replaced or disabled within the moment: then there is somebody else to sign in.
      if (result.kind !== 'signed_in') return refuse(reply, 'setup_done')
      return succeed(reply, 'Signed in', welcome(reply, result))
    },
  )
}

export function operatorWhoAmI(signedIn: SignedInOperator) {
  const { operatorId, email, name, sessionId, expiresAt } = signedIn
  return {
    operator: { operator_id: operatorId, email, name },
    session: { session_id: sessionId, expires_at: wireTime(expiresAt) },
  }
}
