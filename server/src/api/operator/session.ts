import { SetupBody, SetupState, SignedInOperator } from '@florin/contract/operators.js'
import { wireTime } from '../../core/calendar.ts'
import { permissionsOf } from '../../core/operator.ts'
import { normalizeEmail } from '../../core/person.ts'
import { isSetupCode } from '../../core/secrets.ts'
import { createFirstOperator, OPERATORS } from '../../ops/operators.ts'
import { ADMITTED } from '../../ops/signIns.ts'
import { signInStaff } from '../../ops/staffSignIn.ts'
import type { Service } from '../../service.ts'
import { hasOperators, type SignedInOperator as OperatorSession } from '../../sql/operators.ts'
import { accountFactorRoutes } from '../kit/account/accountFactors.ts'
import { accountSessionRoutes } from '../kit/account/accountSessions.ts'
import { OPERATOR_ACCOUNTS } from '../kit/account/accounts.ts'
import { passwordProblems } from '../kit/account/passwordProblems.ts'
import { accountState, selfOfOperator } from '../kit/account/self.ts'
import { operatorCookie } from '../kit/account/sessionCookie.ts'
import { accountSignInRoutes, attemptOf, refuseInvalidRequest } from '../kit/account/signIn.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { clientNetworkOf, createThrottle, type Throttle } from '../kit/http/throttle.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

/** Limits only the load: the code has 80 bits, so it can't be guessed. */
const WRONG_CODES_PER_MINUTE = 10

/** Endpoints that need no credentials. */
export function signInRoutes(route: DeclareRoute<null>): void {
  const wrongCodes = createThrottle('setup codes', WRONG_CODES_PER_MINUTE)
  accountSignInRoutes(route, OPERATOR_ACCOUNTS, { data: SignedInOperator, viewOf })

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
      'Creates the first operator and signs in. Needs the setup code that the server prints at the start.',
    body: SetupBody,
    data: SignedInOperator,
    errors: [409],
    hasOwnChecks: true,
    handler: (call) => setUp(call, wrongCodes),
  })
}

/** Endpoints for the signed-in operator. An operator token has no session. */
export function sessionRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/session', {
    operationId: 'getOperatorSession',
    summary: 'Get the session',
    permission: 'read',
    description: 'Returns the signed-in operator and the session.',
    ownAccount: 'password',
    data: SignedInOperator,
    errors: [409],
    handler: async ({ caller, reply }) =>
      succeed(reply, 'Signed in', sessionView(caller.operator!)),
  })
  accountSessionRoutes(route, OPERATOR_ACCOUNTS)
  accountFactorRoutes(route, OPERATOR_ACCOUNTS)
}

async function viewOf(service: Service, token: string) {
  const signedIn = await service.operatorSessions.get(token)
  return signedIn && sessionView(signedIn)
}

function sessionView(session: OperatorSession) {
  const { operatorId, email, name, role, sessionId, expiresAt } = session
  return {
    account: accountState(selfOfOperator(session)),
    operator: { operator_id: operatorId, email, name, role, permissions: [...permissionsOf(role)] },
    session: { session_id: sessionId, expires_at: wireTime(expiresAt) },
  }
}

type SetUpCall = Call<null, { body: SetupBody; data: SignedInOperator }>

async function setUp(call: SetUpCall, wrongCodes: Throttle) {
  const { service, body, request, reply } = call
  if (refuseInvalidRequest(call)) return reply
  const { database, secretKey } = service
  const isRight = isSetupCode(body.code, secretKey)
  const network = clientNetworkOf(request)
  if (!isRight && !wrongCodes.take(network)) return refuse(reply, 'too_many_wrong_credentials')
  const isDone = await hasOperators(database).catch((error: unknown) => {
    if (!isRight) wrongCodes.add(network, -1)
    throw error
  })
  if (isDone) return refuse(reply, 'setup_done')
  if (!isRight) return refuse(reply, 'setup_code_wrong')
  const { name, password } = body
  const email = normalizeEmail(body.email)!
  const problems = passwordProblems('password', password, email)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const attempt = attemptOf(service, request)
  const operator = await createFirstOperator(database, attempt, { email, name, password })
  if (operator === null) return refuse(reply, 'setup_done')
  const result = await signInStaff(database, OPERATORS, {
    ...attempt,
    email,
    password,
    code: null,
    pageLocale: null,
    deviceToken: null,
    admit: () => ADMITTED,
  })
  const view = result.kind === 'signed_in' ? await viewOf(service, result.token) : null
  // Another request has already changed this operator, so the setup is done.
  if (result.kind !== 'signed_in' || view === null) return refuse(reply, 'setup_done')
  operatorCookie.set(reply, result.token, result.session.expiresAt)
  return succeed(reply, 'Signed in', view)
}
