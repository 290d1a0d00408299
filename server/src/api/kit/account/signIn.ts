import { PasskeyOptions, PasskeySignInBody } from '@florin/contract/account.js'
import { SignInBody } from '@florin/contract/people.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { DEVICE_LIFETIME_MS } from '../../../core/devices.ts'
import { digest } from '../../../core/digest.ts'
import { normalizeEmail } from '../../../core/person.ts'
import type { Account } from '../../../ops/accountNotices.ts'
import { challengeFor, createAssertionOptions } from '../../../ops/passkeys.ts'
import {
  type SignInRefusal,
  type SignInResult,
  signInStaff,
  signInWithPasskey,
} from '../../../ops/staffSignIn.ts'
import type { Service } from '../../../service.ts'
import { localeOfRequest, userAgentOf } from '../http/headers.ts'
import { clientAddressOf } from '../http/throttle.ts'
import { schemaProblems } from '../http/validation.ts'
import { refuse, refuseInvalid, succeed } from '../replies.ts'
import type { Call, DeclareRoute } from '../route.ts'
import { type Accounts, siteOf } from './accounts.ts'
import { cookiesOf, isCrossOrigin, sessionCookie } from './sessionCookie.ts'
import { createSignInLimits } from './signInLimits.ts'

const REFUSALS = {
  wrong: 'wrong_email_or_password',
  wrong_code: 'wrong_code',
  second_factor_needed: 'second_factor_needed',
  locked: 'account_locked',
  throttled: 'too_many_wrong_credentials',
} as const satisfies Record<SignInRefusal, string>

/**
 * Marks a browser in which the account has signed in before. Failed attempts from such a browser are counted
 * separately, so that an attacker who knows the email address or phone number can't lock out its owner. Each account
 * has its own cookie, because the people of a store share its till.
 */
export function deviceCookie(account: string) {
  const cookie = sessionCookie(`${KNOWN_PREFIX}${digest(account).toString('hex', 0, 6)}`)
  return {
    tokenOf: cookie.tokenOf,
    remember(request: FastifyRequest, reply: FastifyReply, deviceToken: string, now: Date): void {
      cookie.set(reply, deviceToken, new Date(now.getTime() + DEVICE_LIFETIME_MS))
      const others = Object.entries(cookiesOf(request)).filter(([name]) =>
        isOfOtherAccount(name, cookie.name),
      )
      // A token begins with its day.
      others.sort(([, a = ''], [, b = '']) => (a < b ? 1 : -1))
      for (const [name] of others.slice(MAX_KNOWN_ACCOUNTS - 1)) {
        sessionCookie(name as typeof KNOWN_PREFIX).clear(reply)
      }
    },
  }
}

const KNOWN_PREFIX = '__Host-florin_known_'
const KNOWN_NAME = /^__Host-florin_known_[0-9a-f]{12}$/
/** A browser sends all cookies in one header, which this server and most proxies limit to 8 KB. */
const MAX_KNOWN_ACCOUNTS = 30

/** Whether this service set the cookie for another account. A request can contain other names, some of which can't be cleared. */
const isOfOtherAccount = (name: string, own: string) => KNOWN_NAME.test(name) && name !== own

/** The response of a sign-in. */
type SignedInView<Data extends TSchema> = {
  readonly data: Data
  /** The new session as the response shows it. Null if the account was disabled meanwhile. */
  readonly viewOf: (service: Service, token: string) => Promise<Static<Data> | null>
}

/** Signing in with a password or with a passkey. Both check the origin before the body. */
export function accountSignInRoutes<Caller, StaffAccount extends Account, Data extends TSchema>(
  route: DeclareRoute<null>,
  accounts: Accounts<Caller, StaffAccount>,
  { data, viewOf }: SignedInView<Data>,
): void {
  const { kind, path, noun } = accounts
  const admitFor = createSignInLimits(`${path} sign-ins`, { arePins: false })
  const deviceOf = (email: string) => deviceCookie(`${path}/session ${email}`)

  route(`POST ${path}/session`, {
    operationId: `signIn${noun}`,
    summary: 'Sign in',
    description:
      'Signs in with email address and password, and with a code if the account has a second factor. The response sets the session cookie.',
    body: SignInBody,
    data,
    hasOwnChecks: true,
    handler: async (call) => {
      const { service, body, request, reply } = call
      if (refuseInvalidRequest(call)) return reply
      const email = normalizeEmail(body.email)
      if (email === null) return refuse(reply, REFUSALS.wrong)
      const result = await signInStaff(service.database, kind, {
        ...attemptOf(service, request),
        email,
        password: body.password,
        code: body.code ?? null,
        pageLocale: body.locale ?? null,
        deviceToken: deviceOf(email).tokenOf(request),
        admit: admitFor(request),
      })
      if (result.kind !== 'signed_in') return refuse(reply, REFUSALS[result.kind])
      return finish(call, result)
    },
  })

  route(`POST ${path}/session/passkey/options`, {
    operationId: `get${noun}SignInOptions`,
    summary: 'Start signing in with a passkey',
    description: 'Returns the options for the browser, which lets its user choose a passkey.',
    hasOptionalBody: true,
    data: PasskeyOptions,
    handler: async ({ service, reply }) => {
      const subject = challengeFor.signIn(kind.noun)
      const options = await createAssertionOptions(siteOf(service), subject, [])
      return succeed(reply, 'Options', { options })
    },
  })

  route(`POST ${path}/session/passkey`, {
    operationId: `signIn${noun}WithPasskey`,
    summary: 'Sign in with a passkey',
    description:
      'Signs in without email address and password. The response sets the session cookie.',
    body: PasskeySignInBody,
    data,
    hasOwnChecks: true,
    handler: async (call) => {
      const { service, body, request, reply } = call
      if (refuseInvalidRequest(call)) return reply
      const result = await signInWithPasskey(service.database, kind, {
        ...attemptOf(service, request),
        response: body.passkey,
        pageLocale: null,
        publicUrl: service.config.publicUrl,
        deviceTokenOf: (email) => deviceOf(email).tokenOf(request),
        admit: admitFor(request),
      })
      if (result.kind === 'wrong') return refuse(reply, 'passkey_refused')
      if (result.kind !== 'signed_in') return refuse(reply, REFUSALS[result.kind])
      return finish(call, result)
    },
  })

  type SignedIn = Extract<SignInResult<StaffAccount>, { kind: 'signed_in' }>

  async function finish(
    {
      service,
      request,
      reply,
    }: Pick<Call<null, { data: Static<Data> }>, 'service' | 'request' | 'reply'>,
    { token, deviceToken, account, session }: SignedIn,
  ): Promise<FastifyReply> {
    const view = await viewOf(service, token)
    if (view === null) return refuse(reply, 'not_signed_in')
    accounts.cookie.set(reply, token, session.expiresAt)
    deviceOf(account.email).remember(request, reply, deviceToken, service.clock.now())
    return succeed<unknown>(reply, 'Signed in', view)
  }
}

export const attemptOf = ({ mail, secretKey, clock }: Service, request: FastifyRequest) => ({
  requestId: request.id,
  source: { address: clientAddressOf(request), device: userAgentOf(request) },
  locale: localeOfRequest(request),
  mail,
  secretKey,
  now: clock.now(),
})

/** Refuses a request from another origin or with an invalid body. Returns whether it did. */
export function refuseInvalidRequest({ service, request, reply }: Call<null>): boolean {
  const { publicUrl } = service.config
  if (isCrossOrigin(request, { publicUrl, requireOrigin: false })) {
    refuse(reply, 'cross_origin')
    return true
  }
  const problems = schemaProblems(request)
  if (problems.length > 0) refuseInvalid(reply, problems)
  return problems.length > 0
}
