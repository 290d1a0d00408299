import { answer, errors } from '@florin/contract/common.js'
import { WalletSession, WalletSessionBody } from '@florin/contract/wallet.js'
import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { KNOWN_MS } from '../../core/devices.ts'
import { normalisePhone } from '../../core/text.ts'
import { type SignedIn, signIn, signInDemo, signOut } from '../../ops/sessions.ts'
import type { Service } from '../../service.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { WALLET_DOCS as docs } from '../kit/audiences.ts'
import type { Authenticator } from '../kit/authenticate.ts'
import { acceptJson } from '../kit/bodies.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { isForeign, walletCookie } from '../kit/sessionCookie.ts'
import { knownCookie } from '../kit/signIn.ts'
import { signInLimits } from '../kit/signInLimits.ts'
import { sourceOf, throttle } from '../kit/throttle.ts'
import { schemaProblems } from '../kit/validation.ts'
import { walletView } from '../kit/views.ts'

const DEMO_SIGN_INS_PER_MINUTE = 30

const REFUSALS = {
  wrong: 'wrong_phone_or_pin',
  locked: 'wallet_locked',
  throttled: 'too_many_wrong_credentials',
} as const

/** How a payer comes in and goes out: an app with a token, a page of ours with a cookie. */
export async function walletSessionRoutes(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  acceptJson(app)
  const { database, secretKey, pepper } = service
  const { publicUrl, isDemo } = service.config
  const admitting = signInLimits({ arePins: true })

  app.post(
    '/wallet/session',
    {
      attachValidation: true,
      schema: {
        tags: docs.tags,
        operationId: 'signIn',
        summary: 'Sign in with phone number and PIN',
        body: WalletSessionBody,
        response: { 200: answer(WalletSession), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { phone, pin, cookie, device_token } = request.body as Record<
        'phone' | 'pin',
        string
      > & {
        cookie?: boolean | null
        device_token?: string | null
      }
      // Another page must not be able to put somebody into a wallet that is not theirs.
      if (cookie && isForeign(request, { publicUrl, mustTell: false })) {
        return refuse(reply, 'foreign_origin')
      }
      const number = normalisePhone(phone)
      if (number === null) return refuse(reply, 'wrong_phone_or_pin')
      const known = knownCookie(`/wallet/session ${number}`)
      const mark = device_token ?? known.tokenOf(request)
      const admit = admitting(request)
      const attempt = { phone: number, pin, mark, secretKey, pepper, admit }
      const result = await signIn(database, attempt)
      if (result.kind !== 'signed_in') return refuse(reply, REFUSALS[result.kind])
      if (!cookie) {
        return welcome(service, reply, result, { token: result.token, device_token: result.mark })
      }
      walletCookie.set(reply, result.token, result.expiresAt)
      known.set(reply, result.mark, new Date(Date.now() + KNOWN_MS))
      return welcome(service, reply, result)
    },
  )

  app.delete(
    '/wallet/session',
    {
      onRequest: authenticate.wallet,
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'signOut',
        summary: 'Sign out',
        response: { 200: answer(Type.Null()), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const session = request.session!
      await signOut(database, session)
      service.sessions.forget(session.token)
      walletCookie.clear(reply)
      return succeed(reply, 'Signed out', null)
    },
  )

  if (!isDemo) return
  const demoSignIns = throttle({ perMinute: DEMO_SIGN_INS_PER_MINUTE, maxKeys: 10_000 })
  app.post(
    '/wallet/demo-session',
    {
      config: { needsNoBody: true },
      schema: {
        tags: docs.tags,
        operationId: 'signInDemo',
        summary: "Sign in to the demo's sandbox wallet, by cookie; only on a demo server",
        response: { 200: answer(WalletSession), ...errors(400, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      if (isForeign(request, { publicUrl, mustTell: false })) return refuse(reply, 'foreign_origin')
      if (demoSignIns.isFull(sourceOf(request))) return refuse(reply, 'too_many_wrong_credentials')
      demoSignIns.add(sourceOf(request))
      const walletId = service.demoWallet()
      const signedIn = walletId && (await signInDemo(database, walletId))
      if (!signedIn) return refuse(reply, 'wallet_unknown')
      walletCookie.set(reply, signedIn.token, signedIn.expiresAt)
      return welcome(service, reply, signedIn)
    },
  )
}

async function welcome(
  { database }: Service,
  reply: FastifyReply,
  { wallet, expiresAt }: SignedIn,
  given: { token?: string; device_token?: string } = {},
) {
  const balances = await findWalletBalances(database, [wallet.walletId])
  return succeed(reply, 'Signed in', {
    ...given,
    expires_at: wireTime(expiresAt),
    wallet: walletView(wallet, balances),
  })
}
