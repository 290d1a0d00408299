import { WalletSession } from '@florin/contract/wallet.js'
import { ActivateBody, SignupBody } from '@florin/contract/walletAccount.js'
import Type from 'typebox'
import { normalizeActivationCode } from '../../core/activation.ts'
import { isMailAddress } from '../../core/mail.ts'
import { normalizeEmail } from '../../core/person.ts'
import { isWeakPin } from '../../core/pins.ts'
import { normalizePhone } from '../../core/text.ts'
import { requestSignup } from '../../ops/activationCodes.ts'
import { activateWallet } from '../../ops/walletActivations.ts'
import { INVALID_PHONE, weakPinProblem } from '../kit/account/pins.ts'
import { isCrossOrigin } from '../kit/account/sessionCookie.ts'
import { createSignInLimits } from '../kit/account/signInLimits.ts'
import { originOf } from '../kit/authenticate.ts'
import { clientNetworkOf, clientWiderNetworkOf, createThrottle } from '../kit/http/throttle.ts'
import { type FieldProblem, mailAddressProblem, problemOf } from '../kit/http/validation.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import { sendNewSession } from './session.ts'

const REFUSALS = {
  wrong: 'wrong_activation_code',
  locked: 'wallet_locked',
  throttled: 'too_many_wrong_credentials',
  phone_taken: 'phone_taken',
} as const

const ADDRESS_SIGNUPS_PER_MINUTE = 5
const NETWORK_SIGNUPS_PER_MINUTE = 10
const SIGNUPS_PER_MINUTE = 60
/** For networks without a recent sign-up, so that a few networks can't use up the limit of all others. */
const SIGNUPS_OF_FRESH_NETWORKS_PER_MINUTE = 60

export function activationRoutes(route: DeclareRoute<null>): void {
  const admitFor = createSignInLimits('wallet activations', { arePins: true })
  route('POST /wallet/activate', {
    operationId: 'activateWallet',
    summary: 'Activate a wallet',
    description:
      'Sets the PIN of a new or reset wallet with its activation code, ends its old sessions and signs in. A code from a sign-up opens the wallet.',
    body: ActivateBody,
    data: WalletSession,
    errors: [409],
    handler: async (call) => {
      const { service, body, request, reply } = call
      const { database, pepper, secretKey, mail, config } = service
      const { pin, cookie } = body
      if (cookie && isCrossOrigin(request, { publicUrl: config.publicUrl, requireOrigin: false })) {
        return refuse(reply, 'cross_origin')
      }
      if (isWeakPin(pin)) return refuseInvalid(reply, [weakPinProblem('pin')])
      const code = normalizeActivationCode(body.code)
      if (code === null) return refuse(reply, 'wrong_activation_code')
      const result = await activateWallet(database, {
        code,
        pin,
        locale: body.locale ?? null,
        pepper,
        secretKey,
        now: service.clock.now(),
        mail,
        origin: originOf(request),
        admit: admitFor(request),
      })
      if (result.kind !== 'signed_in') return refuse(reply, REFUSALS[result.kind])
      service.walletSessions.forgetAll()
      return sendNewSession(call, result, { isCookie: cookie === true })
    },
  })
}

export function signupRoutes(route: DeclareRoute<null>): void {
  const addresses = createThrottle('sign-ups by address', ADDRESS_SIGNUPS_PER_MINUTE)
  const networks = createThrottle('sign-ups by network', NETWORK_SIGNUPS_PER_MINUTE)
  const all = createThrottle('sign-ups', SIGNUPS_PER_MINUTE)
  const allFresh = createThrottle(
    'sign-ups of fresh networks',
    SIGNUPS_OF_FRESH_NETWORKS_PER_MINUTE,
  )
  route('POST /wallet/signup', {
    operationId: 'signUp',
    summary: 'Open a wallet',
    description:
      'Sends a code by email. Send the code to `POST /wallet/activate` to open the wallet. The response is the same for every address and phone number. Available only if `FLORIN_WALLET_SIGNUP` is `email`.',
    body: SignupBody,
    data: Type.Null(),
    handler: async ({ service, body, request, reply }) => {
      if (service.config.walletSignup === 'off') return refuse(reply, 'signup_off')
      const problems: FieldProblem[] = []
      const phone = normalizePhone(body.phone)
      if (phone === null) problems.push(INVALID_PHONE)
      const email = normalizeEmail(body.email)
      if (email === null) {
        problems.push(problemOf('email', 'must be an email address'))
      } else if (!isMailAddress(email)) {
        problems.push(mailAddressProblem('email'))
      }
      if (phone === null || email === null || problems.length > 0)
        return refuseInvalid(reply, problems)
      const network = clientWiderNetworkOf(request)
      const isFresh = networks.isEmpty(network)
      const isWithinLimits =
        addresses.take(clientNetworkOf(request)) &&
        networks.take(network) &&
        (all.take('all') || (isFresh && allFresh.take('all')))
      if (!isWithinLimits) return refuse(reply, 'too_many_wrong_credentials')
      const { name, mode, locale } = body
      const profile = { name, email, phone, mode: mode ?? 'live', locale: locale ?? null }
      await requestSignup(service.database, profile, service.activation)
      return succeed(reply, 'If this address can get mail, a code is on its way', null)
    },
  })
}
