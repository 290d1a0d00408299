import type { FastifyRequest } from 'fastify'
import { hashToken } from '../../../core/ids.ts'
import type { PinOwner } from '../../../ops/walletPins.ts'
import { verifyOwnPin } from '../../../ops/walletPins.ts'
import type { Service } from '../../../service.ts'
import { originOf, type WalletSession } from '../authenticate.ts'
import { problemOf } from '../http/validation.ts'
import { type Reply, refuse, refuseField } from '../replies.ts'

export const INVALID_PHONE = problemOf(
  'phone',
  'must be an international number such as +15550100001',
)

export const weakPinProblem = (field: 'pin' | 'new') =>
  problemOf(
    field,
    'is too easy to guess. Avoid repeated digits, sequences such as 1234, years and common PINs.',
  )

export const pinOwner = (
  { pepper }: Service,
  { walletId, token }: WalletSession,
  request: FastifyRequest,
): PinOwner => ({ walletId, tokenHash: hashToken(token), origin: originOf(request), pepper })

type PinCall = {
  readonly service: Service
  readonly caller: WalletSession
  readonly request: FastifyRequest
  readonly reply: Reply<unknown>
}

/** Verifies the PIN that a signed-in payer sent. False if it refused the request. */
export async function acceptPin(
  { service, caller, request, reply }: PinCall,
  pin: string | null | undefined,
): Promise<boolean> {
  if (pin === undefined || pin === null) {
    refuse(reply, 'pin_needed')
    return false
  }
  const verified = await verifyOwnPin(service.database, pinOwner(service, caller, request), pin)
  if (verified === 'locked') refuse(reply, 'pin_locked')
  if (verified === 'wrong') refuseField(reply, 'pin', 'is wrong')
  return typeof verified !== 'string'
}

type PayAttempt = { readonly kind: string; readonly reason?: string }

/**
 * The transaction that pays decides whether the PIN is needed. It must not wait for a hash: it holds locks, and other payments
 * are in its batch. So the PIN is verified here, and `pay` runs again. Null if the request was refused.
 */
export async function payWithPin<Result extends PayAttempt>(
  call: PinCall,
  pin: string | null | undefined,
  pay: (isPinVerified: boolean) => Promise<Result>,
): Promise<Result | null> {
  const result = await pay(false)
  if (result.reason !== 'pin_needed') return result
  return (await acceptPin(call, pin)) ? pay(true) : null
}
