import type { SignInBody } from '@florin/contract/store.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEVICE_LIFETIME_MS } from '../../core/devices.ts'
import { hashToken } from '../../core/ids.ts'
import { normaliseEmail } from '../../core/person.ts'
import type { SignInAttempt } from '../../ops/staffAccounts.ts'
import { userAgentOf } from './headers.ts'
import { refuse, refuseInvalid } from './replies.ts'
import type { Call } from './route.ts'
import { isCrossOrigin, sessionCookie } from './sessionCookie.ts'
import type { signInLimits } from './signInLimits.ts'
import { schemaProblems } from './validation.ts'

const REFUSALS = {
  wrong: 'wrong_email_or_password',
  locked: 'account_locked',
  throttled: 'too_many_wrong_credentials',
} as const

type Refused = { readonly kind: keyof typeof REFUSALS }
type SignInCall = Call<null, { body: SignInBody }>

/**
 * Marks a browser in which the account has signed in before. Failed attempts from such a browser are counted
 * separately, so that an attacker who knows the e-mail address can't lock out its owner. Each account has its own
 * cookie, because the people of a store share its till.
 */
export const deviceCookie = (account: string) =>
  sessionCookie(`__Host-florin_known_${hashToken(account).toString('hex', 0, 6)}`)

const deviceCookieOf = (request: FastifyRequest, email: string) =>
  deviceCookie(`${request.routeOptions.url} ${email}`)

/**
 * Signs in with e-mail address and password. Returns null if it refused the request. The route needs `ownChecks`,
 * because the origin is checked before the body.
 */
export async function signInWithPassword<SignedIn extends { readonly kind: 'signed_in' }>(
  { service, body, request, reply }: SignInCall,
  {
    limits,
    signIn,
  }: {
    readonly limits: ReturnType<typeof signInLimits>
    readonly signIn: (attempt: SignInAttempt) => Promise<SignedIn | Refused>
  },
): Promise<SignedIn | null> {
  const { config, secretKey } = service
  if (isCrossOrigin(request, { publicUrl: config.publicUrl, requireOrigin: false })) {
    refuse(reply, 'foreign_origin')
    return null
  }
  const problems = schemaProblems(request)
  if (problems.length > 0) {
    refuseInvalid(reply, problems)
    return null
  }
  const email = normaliseEmail(body.email)
  const result =
    email === null
      ? { kind: 'wrong' as const }
      : await signIn({
          email,
          password: body.password,
          locale: body.locale ?? null,
          userAgent: userAgentOf(request),
          mark: deviceCookieOf(request, email).tokenOf(request),
          secretKey,
          admit: limits(request),
        })
  if (result.kind === 'signed_in') return result
  refuse(reply, REFUSALS[result.kind])
  return null
}

/** Sets the cookie that marks the browser after a successful sign-in. */
export function rememberDevice({ body, request, reply }: SignInCall, mark: string): void {
  const expiresAt = new Date(Date.now() + DEVICE_LIFETIME_MS)
  deviceCookieOf(request, normaliseEmail(body.email)!).set(reply, mark, expiresAt)
}

/** Refuses a failed password change. Returns null if the password was changed. */
export function refusePassword(reply: FastifyReply, result: 'changed' | 'wrong' | 'locked') {
  if (result === 'locked') return refuse(reply, 'account_locked')
  if (result === 'changed') return null
  return refuseInvalid(reply, [{ field: 'current', message: 'current is not your password' }])
}
