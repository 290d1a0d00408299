import { answer, errors } from '@florin/contract/common.js'
import { SignInBody } from '@florin/contract/store.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { KNOWN_MS } from '../../core/devices.ts'
import { hashToken } from '../../core/ids.ts'
import { normaliseEmail } from '../../core/person.ts'
import type { SignInAttempt } from '../../ops/accounts.ts'
import type { Service } from '../../service.ts'
import { headerOf } from './headers.ts'
import { refuse, refuseInvalid, succeed } from './replies.ts'
import { isForeign, sessionCookie } from './sessionCookie.ts'
import { signInLimits } from './signInLimits.ts'
import { schemaProblems } from './validation.ts'

const MAX_USER_AGENT = 200

type Outcome =
  | { readonly kind: 'signed_in'; readonly mark: string }
  | { readonly kind: 'wrong' | 'locked' | 'throttled' }

/**
 * A browser in which somebody has signed in before. Wrong passwords typed there are counted apart from those
 * of the rest of the world, so that nobody who merely knows an address can lock its owner out. A cookie each,
 * since the people of a store share its till.
 */
export const knownCookie = (account: string) =>
  sessionCookie(`__Host-florin_known_${hashToken(account).toString('hex', 0, 6)}`)

/** The way in by e-mail address and password: of the people of stores, and of operators. */
export function signInRoute<Result extends Outcome>(
  app: FastifyInstance,
  { config: { publicUrl }, secretKey }: Service,
  route: {
    path: string
    docs: { tags: string[]; operationId: string; summary: string }
    data: TSchema
    signIn: (attempt: SignInAttempt) => Promise<Result>
    /** Sets the cookie, and says who has come. */
    welcome: (reply: FastifyReply, signedIn: Extract<Result, { kind: 'signed_in' }>) => unknown
  },
): void {
  const admitting = signInLimits({ arePins: false })
  app.post(
    route.path,
    {
      attachValidation: true,
      schema: {
        ...route.docs,
        body: SignInBody,
        response: { 200: answer(route.data), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      if (isForeign(request, { publicUrl, mustTell: false })) return refuse(reply, 'foreign_origin')
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { email: typed, password } = request.body as { email: string; password: string }
      const email = normaliseEmail(typed)
      const admit = admitting(request)
      if (email === null) return refuse(reply, 'wrong_email_or_password')
      const known = knownCookie(`${route.path} ${email}`)
      const mark = known.tokenOf(request)
      const userAgent = userAgentOf(request)
      const result = await route.signIn({ email, password, userAgent, mark, secretKey, admit })
      if (result.kind === 'throttled') return refuse(reply, 'too_many_wrong_credentials')
      if (result.kind === 'locked') return refuse(reply, 'account_locked')
      if (result.kind === 'wrong') return refuse(reply, 'wrong_email_or_password')
      const signedIn = result as Extract<Result, { kind: 'signed_in' }>
      const data = await route.welcome(reply, signedIn)
      known.set(reply, signedIn.mark, new Date(Date.now() + KNOWN_MS))
      return succeed(reply, 'Signed in', data)
    },
  )
}

/** Headers are bytes; what is kept is what a list can show. */
export function userAgentOf(request: FastifyRequest): string {
  return (headerOf(request, 'user-agent') ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, MAX_USER_AGENT)
}

type PasswordChange = 'changed' | 'wrong' | 'locked'

/** Null where it was changed. */
export function refusePassword(reply: FastifyReply, result: PasswordChange): FastifyReply | null {
  if (result === 'locked') return refuse(reply, 'account_locked')
  if (result === 'changed') return null
  return refuseInvalid(reply, [{ field: 'current', message: 'current is not your password' }])
}
