import type { PaymentStatus, Refund, StatusQuery } from '@florin/contract/payments.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type PaymentId, parsePaymentId } from '../../../core/ids.ts'
import type { Payment, PaymentKey, Status } from '../../../core/payment.ts'
import type { PaymentRecord } from '../../../core/paymentView.ts'
import { waitUntilSettled } from '../../../ops/paymentChanges.ts'
import type { Merchant } from '../authenticate.ts'
import { partialRefundProblem } from '../http/bodies.ts'
import { clientNetworkOf } from '../http/throttle.ts'
import type { FieldProblem } from '../http/validation.ts'
import { idempotencyKeyOf, keyProblem, sendReplayed } from '../idempotency.ts'
import { refuse, sendJson, sendText, succeed } from '../replies.ts'
import type { Call } from '../route.ts'
import { refundView } from '../views.ts'

export type PaymentCallTypes<Data> = {
  readonly params: { readonly paymentId: string }
  readonly data: Data
}
type Lookup = Pick<Call<Merchant, PaymentCallTypes<unknown>>, 'service' | 'params' | 'caller'>

/** The key of the payment that the path names, or null if the id is malformed or belongs to another store. */
export function ownPaymentKey({ params, caller }: Omit<Lookup, 'service'>): PaymentKey | null {
  const parsed = parsePaymentId(params.paymentId)
  if (parsed === null || parsed.storeId !== caller.store.storeId) return null
  return { storeId: parsed.storeId, mode: caller.mode, paymentId: parsed.paymentId }
}

/** Like `ownPaymentKey`, but also null if the payment doesn't exist. */
export async function findPaymentKey(lookup: Lookup): Promise<PaymentKey | null> {
  const key = ownPaymentKey(lookup)
  return key !== null && (await lookup.service.readStatus(key)) !== null ? key : null
}

/** The payment that the path names, with everything that its details show; null for an unknown one. */
export async function findRecord(lookup: Lookup): Promise<PaymentRecord | null> {
  const key = ownPaymentKey(lookup)
  return key && lookup.service.readPayment(key)
}

export async function getStatus(
  call: Call<Merchant, PaymentCallTypes<PaymentStatus> & { readonly query: StatusQuery }>,
  refuseUnknown: (reply: FastifyReply) => FastifyReply,
): Promise<FastifyReply> {
  const { service, query, request, reply } = call
  const { wait: waitSeconds = 0 } = query
  const key = ownPaymentKey(call)
  if (key === null) return refuseUnknown(reply)
  const current = await service.readStatus(key)
  if (current === null) return refuseUnknown(reply)
  if (current !== 'pending' || waitSeconds === 0) return sendStatus(reply, key.paymentId, current)
  const owner = `store ${key.storeId}` as const
  const release = service.heldRequests.take('poll', clientNetworkOf(request), key.paymentId, owner)
  if (release === null) return refuse(reply, 'busy')
  try {
    const settled = await waitUntilSettled(
      service.changes,
      key.paymentId,
      () => service.readStatus(key),
      {
        waitMs: waitSeconds * 1000,
        isOver: () => request.raw.socket.destroyed || service.isStopping(),
      },
    )
    return sendStatus(reply, key.paymentId, settled ?? current)
  } finally {
    release()
  }
}

/** Clients poll this response, so it is built as text for speed. Nothing in it needs escaping. */
const sendStatus = (reply: FastifyReply, paymentId: PaymentId, status: Status) =>
  sendText(
    reply,
    200,
    `{"status":200,"message":"Payment status","data":{"payment_id":"${paymentId}","status":"${status}"}}`,
  )

/** Expires a pending payment immediately. */
export async function expirePayment(
  call: Call<Merchant, PaymentCallTypes<PaymentStatus>>,
  reason: 'cancelled' | 'simulated',
) {
  const { service, reply } = call
  const key = await findPaymentKey(call)
  if (key === null) return refuse(reply, 'payment_unknown')
  const isExpired = await service.expirePayment({ ...key, reason, by: call.caller.actor })
  if (!isExpired) return refuse(reply, 'not_pending')
  return succeed(reply, 'Payment expired', { payment_id: key.paymentId, status: 'expired' })
}

/** Validates a refund request before the payment is looked up. */
export function refundProblems(request: FastifyRequest): FieldProblem[] {
  const problems = [partialRefundProblem(request), keyProblem(request)]
  return problems.filter((problem) => problem !== null)
}

export async function refundPayment(call: Call<Merchant, PaymentCallTypes<Refund>>) {
  const { service, caller, request, reply } = call
  const key = ownPaymentKey(call)
  if (key === null) return refuse(reply, 'payment_unknown')
  const body = (payment: Payment) => ({
    status: 200,
    message: 'Payment refunded',
    data: refundView(payment),
  })
  const result = await service.refundPayment({
    storeId: key.storeId,
    mode: key.mode,
    paymentId: key.paymentId,
    store: caller.store,
    idempotencyKey: idempotencyKeyOf(request, (payment) => JSON.stringify(body(payment))),
    by: caller.actor,
    apiKey: caller.apiKey,
  })
  switch (result.kind) {
    case 'refunded':
      return sendJson(reply, 200, body(result.payment))
    case 'replayed':
      return sendReplayed(reply, result.response)
    case 'key_reused':
      return refuse(reply, 'key_reused')
    case 'refused':
      return refuse(reply, result.reason)
  }
}
