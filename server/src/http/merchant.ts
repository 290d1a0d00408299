import { type Locale, localeOf } from '@florin/shared/locales.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parsePaymentId } from '../core/ids.ts'
import type { Breach } from '../core/limits.ts'
import { preferredLocale } from '../core/locales.ts'
import { formatMinor } from '../core/money.ts'
import { CREATE_FIELDS, type CreateFields, judgeCreate, rateNeeded } from '../core/newPayment.ts'
import type { Payment, PaymentKey } from '../core/payment.ts'
import { paymentView } from '../core/paymentView.ts'
import type { Store } from '../core/store.ts'
import type { CreateResult } from '../ops/createPayments.ts'
import { findReplay } from '../ops/keptAnswers.ts'
import { waitUntilSettled } from '../ops/paymentChanges.ts'
import type { Service } from '../service.ts'
import { merchantOf } from './authenticate.ts'
import { acceptAnything, acceptJson } from './bodies.ts'
import {
  refuse,
  refuseInvalid,
  refuseRefund,
  refuseUnknownStatus,
  sendJson,
  sendText,
  succeed,
} from './errorReply.ts'
import { keyProblem, onceOf } from './idempotency.ts'
import { answer, errors, IdempotencyHeaders, MERCHANT_SECURITY } from './schemas/common.ts'
import {
  CreateBody,
  CreatedBody,
  MAX_PRODUCTS,
  PaymentDetails,
  PaymentIdParams,
  RefundData,
  StatusData,
  StatusNotFound,
  StatusQuery,
} from './schemas/merchant.ts'
import { inFieldOrder, queryInteger, schemaProblems } from './validation.ts'
import { createdView, refundView } from './views.ts'

const docs = { tags: ['Merchant'], security: MERCHANT_SECURITY }

/** The key of a payment that this merchant may see; null for any id that is not theirs. */
export function ownPayment(request: FastifyRequest): PaymentKey | null {
  const { credential } = merchantOf(request)
  const parsed = parsePaymentId((request.params as { paymentId: string }).paymentId)
  if (parsed === null || parsed.storeId !== credential.storeId) return null
  return { storeId: credential.storeId, mode: credential.mode, paymentId: parsed.paymentId }
}

/** The four calls of the contract. */
export async function merchantRoutes(app: FastifyInstance, service: Service): Promise<void> {
  await app.register(async (json) => {
    acceptJson(json)
    json.post(
      '/merchant/payment/create',
      {
        attachValidation: true,
        config: { scope: 'create' },
        schema: {
          ...docs,
          operationId: 'createPayment',
          summary: 'Ask for money',
          headers: IdempotencyHeaders,
          body: CreateBody,
          response: { 200: CreatedBody, ...errors(400, 409, 413, 415, 422) },
        },
        preValidation: (request, reply, done) => {
          if (request.body === undefined) return void refuse(reply, 'unsupported_media_type')
          // Thousands of wrong items are one mistake, and must not become thousands of messages.
          const products = (request.body as { products?: unknown } | null)?.products
          if (Array.isArray(products)) products.splice(MAX_PRODUCTS + 1)
          done()
        },
      },
      (request, reply) => createPayment(service, request, reply),
    )
  })

  app.get(
    '/merchant/payment/:paymentId',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getPayment',
        summary: "Read a payment's full details",
        params: PaymentIdParams,
        response: { 200: answer(PaymentDetails), ...errors() },
      },
    },
    async (request, reply) => {
      const key = ownPayment(request)
      const found = key && (await service.readPayment(key))
      if (found === null) return refuse(reply, 'details_payment_unknown')
      const { store } = merchantOf(request)
      const view = paymentView(found, store, service.config.publicUrl)
      return succeed(reply, 'Payment details', view)
    },
  )

  app.get(
    '/merchant/payment/:paymentId/status',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getPaymentStatus',
        summary: "Read a payment's status, or wait for it to change",
        params: PaymentIdParams,
        querystring: StatusQuery,
        response: { 200: answer(StatusData), ...errors(400), 404: StatusNotFound },
      },
    },
    (request, reply) => readStatus(service, request, reply),
  )

  await app.register(async (bodyless) => {
    acceptAnything(bodyless)
    bodyless.post(
      '/merchant/payment/:paymentId/refund',
      {
        config: { scope: 'refund' },
        schema: {
          ...docs,
          operationId: 'refundPayment',
          summary: 'Send the money back in full',
          headers: IdempotencyHeaders,
          params: PaymentIdParams,
          response: { 200: answer(RefundData), ...errors(400, 409, 413, 422) },
        },
      },
      (request, reply) => refundPayment(service, request, reply),
    )
  })
}

async function createPayment(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { credential, store } = merchantOf(request)
  const badKey = keyProblem(request)
  const badShape = schemaProblems(request)
  const isObject = !badShape.some((problem) => problem.field === 'body')
  const fields = (isObject ? request.body : {}) as CreateFields & { locale?: unknown }
  if (!isObject) return refuseInvalid(reply, badShape)

  const foreign = rateNeeded(fields, store)
  const rate = foreign && (await service.rates.get(`${foreign}/${store.currency}`))
  const judged = judgeCreate(
    fields,
    {
      store,
      rate: rate?.rate ?? null,
      allowPrivateWebhooks: service.config.allowPrivateWebhooks,
    },
    new Set(badShape.map((problem) => problem.field)),
  )
  const problems = inFieldOrder(CREATE_FIELDS, badShape, judged.problems, badKey ? [badKey] : [])
  const locale =
    localeOf(String(fields.locale ?? '')) ?? preferredLocale(request.headers['accept-language'])
  const once = onceOf(request, (payment) => JSON.stringify(createdView(payment, store, locale)))
  const { storeId, mode } = credential
  const context = { store, locale, publicUrl: service.config.publicUrl }
  if (judged.payment === null || problems.length > 0) {
    // The first answer stands, also where a limit or a rate has changed since.
    const hasKey = once !== null && badKey === null
    const replay = hasKey ? await findReplay(service.database, { storeId, mode }, once) : null
    return replay === null ? refuseInvalid(reply, problems) : sendCreated(reply, replay, context)
  }
  const result = await service.createPayment({ store, mode, payment: judged.payment, once })
  return sendCreated(reply, result, context)
}

type Context = { readonly store: Store; readonly locale: Locale; readonly publicUrl: string }

function sendCreated(
  reply: FastifyReply,
  result: CreateResult,
  { store, locale, publicUrl }: Context,
) {
  const link = (paymentId: string) =>
    reply.header('link', `<${publicUrl}/pay/${paymentId}>; rel="checkout"`)
  switch (result.kind) {
    case 'created':
      link(result.payment.paymentId)
      return result.answer === null
        ? sendJson(reply, 200, createdView(result.payment, store, locale))
        : sendText(reply, 200, result.answer)
    case 'replayed': {
      const { data } = JSON.parse(result.answer) as ReturnType<typeof createdView>
      link(data.payment_id)
      return sendText(reply.header('idempotent-replayed', 'true'), 200, result.answer)
    }
    case 'key_reused':
      return refuse(reply, 'key_reused')
    case 'limit_reached':
      return refuseInvalid(reply, [
        { field: 'amount', message: limitMessage(result.breach, store) },
      ])
    case 'reference_taken': {
      const message = 'reference_id belongs to a payment that is pending or paid'
      return refuseInvalid(reply, [{ field: 'reference_id', message }])
    }
  }
}

function limitMessage({ period, left }: Breach, store: Store): string {
  const name = period === 'day' ? 'daily' : 'monthly'
  const amount = `${formatMinor(left, store.currency)} ${store.currency}`
  return `amount is above the ${name} limit of the store: ${amount} left`
}

const MAX_WAIT_SECONDS = 60

async function readStatus(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { wait } = request.query as { wait?: string }
  const waitSeconds = queryInteger(wait, { min: 0, max: MAX_WAIT_SECONDS, otherwise: 0 })
  if (waitSeconds === null) {
    const message = `wait must be a whole number of seconds from 0 to ${MAX_WAIT_SECONDS}`
    return refuseInvalid(reply, [{ field: 'wait', message }])
  }
  const key = ownPayment(request)
  if (key === null) return refuseUnknownStatus(reply)
  const read = () => service.readStatus(key)
  const status =
    waitSeconds === 0
      ? await read()
      : await waitUntilSettled(service.changes, key.paymentId, read, {
          waitMs: waitSeconds * 1000,
          isOver: () => request.raw.socket.destroyed || service.isStopping(),
        })
  if (status === null) return refuseUnknownStatus(reply)
  return succeed(reply, 'Payment status', { payment_id: key.paymentId, status })
}

async function refundPayment(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const badKey = keyProblem(request)
  if (badKey !== null) return refuseInvalid(reply, [badKey])
  const key = ownPayment(request)
  if (key === null) return refuse(reply, 'payment_unknown')
  const { store } = merchantOf(request)
  const body = (payment: Payment) => ({
    status: 200,
    message: 'Payment refunded',
    data: refundView(payment),
  })
  const result = await service.refundPayment({
    ...key,
    store,
    once: onceOf(request, (payment) => JSON.stringify(body(payment))),
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
