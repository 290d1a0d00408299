import type { FastifyReply } from 'fastify'
import { stringifyExactly } from '../../core/json.ts'
import type { PayRefusal, RefundRefusal } from '../../core/payment.ts'
import type { FieldProblem } from './validation.ts'

/** Every refusal with its status and words. What http can say no to is all here. */
const ANSWERS = {
  invalid_credentials: [401, 'Invalid API credentials'],
  too_many_wrong_credentials: [429, 'Too many failed attempts. Try again in a minute.'],
  invalid_operator_token: [401, 'Invalid operator token'],
  not_signed_in: [401, 'Sign in first'],
  wrong_phone_or_pin: [401, 'Wrong phone number or PIN'],
  wrong_email_or_password: [401, 'Wrong e-mail address or password'],
  account_locked: [403, 'Too many wrong passwords. Try again later or ask for a new one.'],
  foreign_origin: [403, 'This request does not come from a page of this service'],
  role_not_allowed: [403, 'Your role does not allow that'],
  above_refund_cap: [403, 'This is more than your role may refund. Ask a manager or the owner.'],
  password_needed: [428, 'Type your password again to do that'],
  last_owner: [409, 'A store needs an owner. Make somebody else one first.'],
  owner_by_operator: [409, 'The password of an owner is reset by the operator'],
  owner_role_by_operator: [409, 'The role of an owner is changed by the operator'],
  image_type: [415, 'A logo must be a PNG or JPEG picture'],
  image_unreadable: [400, 'This picture cannot be read'],
  image_too_large: [400, 'A logo must be at most 512 pixels wide and high'],
  store_suspended: [403, 'This store is suspended'],
  missing_scope: [403, 'This API key is not allowed to do that'],
  setup_code_wrong: [403, 'This is not the code that the server printed'],
  sandbox_only: [403, 'Only sandbox credentials can do that'],
  wallet_locked: [403, 'This wallet is locked. Try again later or ask for help.'],

  host_missing: [400, 'The Host header is required'],
  expectation_failed: [417, 'The only supported Expect header is 100-continue'],
  path_unknown: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  unsupported_media_type: [415, 'Content-Type must be application/json'],
  unsupported_encoding: [415, 'Content-Encoding is not supported. Send the body uncompressed.'],
  body_too_large: [413, 'The body must be at most 256 KiB'],
  too_many_requests: [429, 'Too many requests'],
  busy: [503, 'The service is busy. Try again shortly.'],
  database_away: [503, 'The service is not available right now. Try again shortly.'],
  not_ready: [503, 'Not ready yet'],
  internal: [500, 'Internal error'],
  key_reused: [422, 'This Idempotency-Key was used with a different request'],
  key_in_use: [409, 'The first request with this Idempotency-Key is still running'],

  details_payment_unknown: [404, 'Payment request not found'],
  payment_unknown: [404, 'Payment not found'],
  already_refunded: [400, 'Payment has already been refunded'],
  not_completed: [400, 'Only completed payments can be refunded'],
  insufficient_store_balance: [400, 'Insufficient store balance for refund'],
  setup_done: [409, 'This service is set up already. Sign in instead.'],
  last_operator: [409, 'This is the last operator who can sign in. Add another one first.'],
  no_session: [409, 'Only somebody who signed in has a session and a password here'],
  no_webhook_url: [
    409,
    'This payment has no webhook_url, so its events cannot be resent. Set webhook_url when you create a payment.',
  ],
  no_event: [409, 'Nothing has happened to this payment yet'],
  event_emptied: [409, 'What this event said is no longer kept, so it cannot be sent again'],
  not_pending: [409, 'Payment is not pending'],

  payment_expired: [410, 'This payment has expired. Ask the shop for a new code.'],
  payment_not_pending: [409, 'This payment can no longer be paid'],
  insufficient_balance: [402, 'Insufficient balance. Top up and ask the shop for a new code.'],
  too_many_failures: [429, 'Too many failed payments. Top up or try again in an hour.'],

  store_unknown: [404, 'Store not found'],
  person_unknown: [404, 'Person not found'],
  operator_unknown: [404, 'Operator not found'],
  session_unknown: [404, 'Session not found'],
  credential_unknown: [404, 'Credential not found'],
  token_unknown: [404, 'Token not found'],
  wallet_unknown: [404, 'Wallet not found'],
  wallet_erased: [409, 'This wallet was erased and is nobody’s any more'],
  wallet_not_empty: [409, 'This wallet still has money. Withdraw it first.'],
  wallet_of_sandbox: [409, 'This wallet plays the payer of a sandbox and is nobody’s'],
  rate_unknown: [404, 'Rate not found'],
  balance_not_covered: [400, 'The balance does not cover this amount'],
  balance_too_large: [400, 'The balance would become too large'],
} as const satisfies Record<string, readonly [number, string]>

export type Refusal = keyof typeof ANSWERS

// Every reason that an op can give has its answer here; a new reason without one does not compile.
const PAY_REFUSALS: Record<
  Exclude<PayRefusal, 'donation_malformed' | 'donation_not_covered'>,
  Refusal
> = {
  wallet_locked: 'wallet_locked',
  payment_unknown: 'payment_unknown',
  payment_expired: 'payment_expired',
  payment_not_pending: 'payment_not_pending',
  store_suspended: 'store_suspended',
  too_many_failures: 'too_many_failures',
}
const REFUND_REFUSALS: Record<RefundRefusal, Refusal> = {
  payment_unknown: 'payment_unknown',
  already_refunded: 'already_refunded',
  not_completed: 'not_completed',
  insufficient_store_balance: 'insufficient_store_balance',
}

export const statusOf = (refusal: Refusal): number => ANSWERS[refusal][0]
export const messageOf = (refusal: Refusal): string => ANSWERS[refusal][1]

const RETRY_AFTER_SECONDS: Partial<Record<Refusal, number>> = {
  too_many_wrong_credentials: 60,
  too_many_requests: 1,
  busy: 1,
  database_away: 2,
  too_many_failures: 3600,
}

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendText(reply, status, stringifyExactly(body))
}

/** Answers are written out here, so that one that is kept and replayed is the same byte for byte. */
export function sendText(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
}

export function succeed(reply: FastifyReply, message: string, data: unknown): FastifyReply {
  return sendJson(reply, 200, { status: 200, message, data })
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const [status, message] = ANSWERS[refusal]
  const seconds = RETRY_AFTER_SECONDS[refusal]
  if (seconds !== undefined) reply.header('retry-after', seconds)
  return sendJson(reply, status, { status, message })
}

const UNKNOWN_STATUS = [404, 'Invalid payment id'] as const
const INVALID = [400, 'Validation error'] as const

/** All of them with their words, for the reference. */
export const ALL_ERRORS: readonly (readonly [status: number, message: string])[] = [
  ...Object.values(ANSWERS),
  UNKNOWN_STATUS,
  INVALID,
].sort(([a], [b]) => a - b)

/** The contract's one body with `status_code`. */
export function refuseUnknownStatus(reply: FastifyReply): FastifyReply {
  const [status_code, message] = UNKNOWN_STATUS
  return sendJson(reply, status_code, { status_code, message })
}

/** One problem a field: what is said first about it is enough. */
export function refuseInvalid(reply: FastifyReply, found: readonly FieldProblem[]): FastifyReply {
  const fields = new Set<string>()
  const errors = found.filter(({ field }) => fields.size < fields.add(field).size)
  const [status, message] = INVALID
  return sendJson(reply, status, { status, message, errors })
}

export function refuseRefund(reply: FastifyReply, reason: RefundRefusal): FastifyReply {
  return refuse(reply, REFUND_REFUSALS[reason])
}

export function refusePay(reply: FastifyReply, reason: PayRefusal): FastifyReply {
  if (reason === 'donation_malformed' || reason === 'donation_not_covered') {
    const message =
      reason === 'donation_malformed'
        ? 'donation_amount must be an amount in the currency of the payment'
        : 'donation_amount is more than what is left after the payment'
    return refuseInvalid(reply, [{ field: 'donation_amount', message }])
  }
  return refuse(reply, PAY_REFUSALS[reason])
}
