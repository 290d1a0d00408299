import { WalletSession, WalletSessionBody } from '@florin/contract/wallet.js'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { normalizePhone } from '../../core/text.ts'
import { type SignedIn, signIn, signInDemo, signOut } from '../../ops/walletSessions.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { isCrossOrigin, walletCookie } from '../kit/account/sessionCookie.ts'
import { deviceCookie } from '../kit/account/signIn.ts'
import { createSignInLimits } from '../kit/account/signInLimits.ts'
import { originOf, type WalletSession as WalletCaller } from '../kit/authenticate.ts'
import { clientNetworkOf, createThrottle } from '../kit/http/throttle.ts'
import { refuse, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { walletView } from '../kit/views.ts'

const DEMO_SIGN_INS_PER_MINUTE = 30

const REFUSALS = {
  wrong: 'wrong_phone_or_pin',
  locked: 'wallet_locked',
  throttled: 'too_many_wrong_credentials',
} as const

export function signInRoutes(route: DeclareRoute<null>): void {
  const admitFor = createSignInLimits('wallet sign-ins', { arePins: true })
  route('POST /wallet/session', {
    operationId: 'signIn',
    summary: 'Sign in to a wallet',
    description:
      'Signs in with phone number and PIN. An app gets a token; a page of this service gets a cookie.',
    body: WalletSessionBody,
    data: WalletSession,
    handler: (call) => signInWithPin(call, admitFor),
  })
}

/** Sign-in without a PIN, on a demo server only. */
export function demoRoutes(route: DeclareRoute<null>): void {
  const signIns = createThrottle('demo sign-ins', DEMO_SIGN_INS_PER_MINUTE)
  route('POST /wallet/demo-session', {
    operationId: 'signInDemo',
    summary: 'Sign in to the demo wallet',
    description: 'Signs in to a sandbox wallet by cookie. Only a demo server has this endpoint.',
    hasOptionalBody: true,
    data: WalletSession,
    handler: async (call) => {
      const { service, request, reply } = call
      const { publicUrl } = service.config
      if (isCrossOrigin(request, { publicUrl, requireOrigin: false }))
        return refuse(reply, 'cross_origin')
      if (!signIns.take(clientNetworkOf(request)))
        return refuse(reply, 'too_many_wrong_credentials')
      const walletId = service.demoWallet()
      const signedIn = walletId && (await signInDemo(service.database, walletId, originOf(request)))
      if (!signedIn) return refuse(reply, 'wallet_unknown')
      walletCookie.set(reply, signedIn.token, signedIn.expiresAt)
      return sendSession(call, signedIn)
    },
  })
}

export function sessionRoutes(route: DeclareRoute<WalletCaller>): void {
  route('DELETE /wallet/session', {
    operationId: 'signOut',
    summary: 'Sign out',
    hasOptionalBody: true,
    data: Type.Null(),
    handler: async ({ service, caller, request, reply }) => {
      await signOut(service.database, { ...caller, origin: originOf(request) })
      service.walletSessions.forget(caller.token)
      walletCookie.clear(reply)
      return succeed(reply, 'Signed out', null)
    },
  })
}

/** The cookie that marks a browser in which the wallet has signed in before. */
export const knownDeviceCookie = (phone: string) => deviceCookie(`/wallet/session ${phone}`)

async function signInWithPin(
  call: Call<null, { body: WalletSessionBody; data: WalletSession }>,
  admitFor: ReturnType<typeof createSignInLimits>,
): Promise<FastifyReply> {
  const { service, body, request, reply } = call
  const { database, secretKey, pepper, mail, config } = service
  const { publicUrl } = config
  const { pin, cookie } = body
  // A page of another origin must not be able to sign a browser in to the attacker's wallet.
  if (cookie && isCrossOrigin(request, { publicUrl, requireOrigin: false })) {
    return refuse(reply, 'cross_origin')
  }
  const phone = normalizePhone(body.phone)
  if (phone === null) return refuse(reply, 'wrong_phone_or_pin')
  const deviceToken = body.device_token ?? knownDeviceCookie(phone).tokenOf(request)
  const origin = originOf(request)
  const attempt = {
    phone,
    pin,
    deviceToken,
    secretKey,
    now: service.clock.now(),
    pepper,
    mail,
    origin,
    admit: admitFor(request),
  }
  const result = await signIn(database, attempt)
  if (result.kind !== 'signed_in') return refuse(reply, REFUSALS[result.kind])
  return sendNewSession(call, result, { isCookie: cookie === true })
}

/** Sends the session and the device token to an app, or sets them as cookies of a page. */
export function sendNewSession(
  call: Call<null, { data: WalletSession }>,
  signedIn: SignedIn & { readonly deviceToken: string },
  { isCookie }: { isCookie: boolean },
): Promise<FastifyReply> {
  const { service, request, reply } = call
  const { token, deviceToken, expiresAt, wallet } = signedIn
  if (!isCookie) return sendSession(call, signedIn, { token, device_token: deviceToken })
  walletCookie.set(reply, token, expiresAt)
  knownDeviceCookie(wallet.phone).remember(request, reply, deviceToken, service.clock.now())
  return sendSession(call, signedIn)
}

async function sendSession(
  { service, reply }: Call<null, { data: WalletSession }>,
  { wallet, expiresAt }: SignedIn,
  tokens: Pick<WalletSession, 'token' | 'device_token'> = {},
): Promise<FastifyReply> {
  const balances = await findWalletBalances(service.database, [wallet.walletId])
  return succeed(reply, 'Signed in', {
    ...tokens,
    expires_at: wireTime(expiresAt),
    wallet: walletView(wallet, balances),
  })
}
