import { answer, errors } from '@florin/contract/common.js'
import { PaymentIdParams, PaymentStatus, SandboxPayBody } from '@florin/contract/payments.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '../../core/payment.ts'
import type { Service } from '../../service.ts'
import { SANDBOX_DOCS } from '../kit/audiences.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { acceptAnything, acceptJson } from '../kit/bodies.ts'
import { refuse, refuseInvalid, refusePay, succeed } from '../kit/errorReply.ts'
import { expirePayment, ownPayment } from '../kit/payments.ts'
import { schemaProblems } from '../kit/validation.ts'

const docs = SANDBOX_DOCS

/** The sandbox plays the payer, so that an integration can be tried without a telephone. */
export async function sandboxRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', refuseLive)

  await app.register(async (json) => {
    acceptJson(json)
    json.post(
      '/sandbox/payment/:paymentId/pay',
      {
        attachValidation: true,
        config: { scope: 'create', needsNoBody: true },
        schema: {
          ...docs,
          operationId: 'sandboxPay',
          summary: 'Pay or fail a sandbox payment',
          description:
            'Plays the payer, whose wallet never runs dry. Live credentials are refused.',
          params: PaymentIdParams,
          body: SandboxPayBody,
          response: { 200: answer(PaymentStatus), ...errors(400, 409, 413, 415) },
        },
        preValidation: async (request) => {
          request.body ??= {}
        },
      },
      (request, reply) => payAsSandbox(service, request, reply),
    )
  })

  await app.register(async (bodyless) => {
    acceptAnything(bodyless)
    bodyless.post(
      '/sandbox/payment/:paymentId/expire',
      {
        config: { scope: 'create' },
        schema: {
          ...docs,
          operationId: 'sandboxExpire',
          summary: 'Expire a sandbox payment as if its time had passed',
          description: 'Live credentials are refused. A body is ignored.',
          params: PaymentIdParams,
          response: { 200: answer(PaymentStatus), ...errors(409, 413) },
        },
      },
      (request, reply) => expirePayment(service, request, reply),
    )
  })
}

export async function refuseLive(request: FastifyRequest, reply: FastifyReply) {
  if (merchantOf(request).mode !== 'sandbox') return refuse(reply, 'sandbox_only')
}

type PayFields = { outcome?: 'completed' | Failure | null; donation_amount?: number | null }

/** The payer that the sandbox plays. */
export async function payAsSandbox(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const problems = schemaProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { outcome, donation_amount } = request.body as PayFields
  const key = ownPayment(request)
  const found = key && (await service.readPayment(key))
  if (found === null) return refuse(reply, 'payment_unknown')
  if (found.payment.status !== 'pending') return refuse(reply, 'not_pending')

  const { store } = merchantOf(request)
  const { mode, paymentId, qrNumber } = found.payment
  const result = await service.payPayment({
    store,
    mode,
    qrNumber,
    walletId: store.sandboxWalletId,
    donation: donation_amount ?? undefined,
    once: null,
    sandbox: { outcome: outcome ?? 'completed' },
  })
  switch (result.kind) {
    case 'paid':
      return succeed(reply, 'Payment completed', { payment_id: paymentId, status: 'completed' })
    case 'failed':
      return succeed(reply, 'Payment failed', { payment_id: paymentId, status: 'failed' })
    case 'refused':
      return result.reason === 'donation_malformed'
        ? refusePay(reply, result.reason)
        : refuse(reply, 'not_pending')
    default:
      return refuse(reply, 'not_pending')
  }
}
