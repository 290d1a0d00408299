import type { Refusal } from '@florin/contract/refusals.js'
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify'
import { type PaymentId, parsePaymentId } from '../../core/ids.ts'
import type { Payment, PaymentKey, Status } from '../../core/payment.ts'
import { paymentView } from '../../core/paymentView.ts'
import { waitUntilSettled } from '../../ops/paymentChanges.ts'
import type { Service } from '../../service.ts'
import { merchantOf } from './authenticate.ts'
import { partialRefundProblem } from './bodies.ts'
import { refuse, refuseInvalid, refuseRefund, sendJson, sendText, succeed } from './errorReply.ts'
import { keyProblem, onceOf } from './idempotency.ts'
import { sourceOf } from './throttle.ts'
import { queryInteger } from './validation.ts'
import { refundView } from './views.ts'

/** The key of a payment that this merchant may see; null for any id that is not theirs. */
export function ownPayment(request: FastifyRequest): PaymentKey | null {
  const { store, mode } = merchantOf(request)
  const parsed = parsePaymentId((request.params as { paymentId: string }).paymentId)
  if (parsed === null || parsed.storeId !== store.storeId) return null
  return { storeId: parsed.storeId, mode, paymentId: parsed.paymentId }
}

/** The same, if there is such a payment. */
export async function knownPayment(
  service: Service,
  request: FastifyRequest,
): Promise<PaymentKey | null> {
  const key = ownPayment(request)
  return key !== null && (await service.readStatus(key)) !== null ? key : null
}

export async function readDetails(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  unknown: Refusal,
) {
  const key = ownPayment(request)
  const found = key && (await service.readPayment(key))
  if (found === null) return refuse(reply, unknown)
  const { store } = merchantOf(request)
  const view = paymentView(found, store, service.config.publicUrl)
  return succeed(reply, 'Payment details', view)
}

const MAX_WAIT_SECONDS = 60

export async function readStatus(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  refuseUnknown: (reply: FastifyReply) => FastifyReply,
) {
  const { wait } = request.query as { wait?: string }
  const waitSeconds = queryInteger(wait, { min: 0, max: MAX_WAIT_SECONDS, otherwise: 0 })
  if (waitSeconds === null) {
    const message = `wait must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}`
    return refuseInvalid(reply, [{ field: 'wait', message }])
  }
  const key = ownPayment(request)
  if (key === null) return refuseUnknown(reply)
  const now = await service.readStatus(key)
  if (now === null) return refuseUnknown(reply)
  if (now !== 'pending' || waitSeconds === 0) return sendStatus(reply, key.paymentId, now)
  const release = service.held.take('poll', sourceOf(request), key.paymentId)
  if (release === null) return refuse(reply, 'busy')
  try {
    const then = await waitUntilSettled(
      service.changes,
      key.paymentId,
      () => service.readStatus(key),
      {
        waitMs: waitSeconds * 1000,
        isOver: () => request.raw.socket.destroyed || service.isStopping(),
      },
    )
    return sendStatus(reply, key.paymentId, then ?? now)
  } finally {
    release()
  }
}

/** What is asked for most often by far, as text at once: there is nothing in it to be escaped. */
const sendStatus = (reply: FastifyReply, paymentId: PaymentId, status: Status) =>
  sendText(
    reply,
    200,
    `{"status":200,"message":"Payment status","data":{"payment_id":"${paymentId}","status":"${status}"}}`,
  )

/** Pending becomes expired at once; what is anything else stays what it is. */
export async function expirePayment(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = await knownPayment(service, request)
  if (key === null) return refuse(reply, 'payment_unknown')
  const isExpired = await service.expirePayment({ ...key, evenEarly: true })
  if (!isExpired) return refuse(reply, 'not_pending')
  return succeed(reply, 'Payment expired', { payment_id: key.paymentId, status: 'expired' })
}

/** Runs before the payment is looked up. */
export const checkRefundRequest: preHandlerHookHandler = (request, reply, done) => {
  const problems = [partialRefundProblem(request), keyProblem(request)].filter(
    (one) => one !== null,
  )
  if (problems.length === 0) return done()
  refuseInvalid(reply, problems)
}

export async function refundPayment(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = ownPayment(request)
  if (key === null) return refuse(reply, 'payment_unknown')
  const { store } = merchantOf(request)
  const body = (payment: Payment) => ({
    status: 200,
    message: 'Payment refunded',
    data: refundView(payment),
  })
  const result = await service.refundPayment({
    storeId: key.storeId,
    mode: key.mode,
    paymentId: key.paymentId,
    store,
    once: onceOf(request, (payment) => JSON.stringify(body(payment))),
    by: request.actor,
  })
  switch (result.kind) {
    case 'refunded':
      return sendJson(reply, 200, body(result.payment))
    case 'replayed':
      return sendText(reply.header('idempotent-replayed', 'true'), 200, result.answer)
    case 'key_reused':
      return refuse(reply, 'key_reused')
    case 'refused':
      return refuseRefund(reply, result.reason)
  }
}
