import { answer, errors, IdempotencyHeaders } from '@florin/contract/common.js'
import {
  CreatedPayment,
  CreatePaymentBody,
  MAX_PRODUCTS,
  PaymentDetails,
  PaymentIdParams,
  PaymentStatus,
  Refund,
  StatusNotFound,
  StatusQuery,
} from '@florin/contract/payments.js'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { MERCHANT_DOCS } from '../kit/audiences.ts'
import { acceptAnything, acceptJson } from '../kit/bodies.ts'
import { createPayment } from '../kit/createPayment.ts'
import { refuse, refuseUnknownStatus } from '../kit/errorReply.ts'
import { checkRefundRequest, readDetails, readStatus, refundPayment } from '../kit/payments.ts'
import { createdView } from '../kit/views.ts'

const docs = MERCHANT_DOCS

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
          description:
            'Makes a pending payment, to be paid by QR code until it expires. Show `qr_code` yourself, or send the customer to the page that the `Link` header names.',
          headers: IdempotencyHeaders,
          body: CreatePaymentBody,
          response: { 200: CreatedPayment, ...errors(400, 409, 413, 415, 422) },
        },
        preValidation: (request, reply, done) => {
          if (request.body === undefined) return void refuse(reply, 'unsupported_media_type')
          // Thousands of wrong items are one mistake, and must not become thousands of messages.
          const products = (request.body as { products?: unknown } | null)?.products
          if (Array.isArray(products)) products.splice(MAX_PRODUCTS + 1)
          done()
        },
      },
      (request, reply) => createPayment(service, request, reply, createdView),
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
        description:
          'Everything that is known about it. Fields are always there; what is not known is null.',
        params: PaymentIdParams,
        response: { 200: answer(PaymentDetails), ...errors() },
      },
    },
    (request, reply) => readDetails(service, request, reply, 'details_payment_unknown'),
  )

  app.get(
    '/merchant/payment/:paymentId/status',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getPaymentStatus',
        summary: "Read a payment's status, or wait for it to change",
        description:
          'With `wait` the answer comes as soon as the payment is no longer pending, or when that time is over.',
        params: PaymentIdParams,
        querystring: StatusQuery,
        response: { 200: answer(PaymentStatus), ...errors(400), 404: StatusNotFound },
      },
    },
    (request, reply) => readStatus(service, request, reply, refuseUnknownStatus),
  )

  await app.register(async (bodyless) => {
    acceptAnything(bodyless)
    bodyless.post(
      '/merchant/payment/:paymentId/refund',
      {
        config: { scope: 'refund' },
        preHandler: checkRefundRequest,
        schema: {
          ...docs,
          operationId: 'refundPayment',
          summary: 'Send the money back in full',
          description:
            'The payer receives the refund amount: gross less the refund fee. The store balance must cover the refund amount; the part of the fee that it does not cover is waived. The transaction fee is not returned. Partial refunds are not supported: a JSON body with the key `amount` is refused, any other body is ignored. Before you refund, check that the status is `completed` and that the balance covers the refund.',
          headers: IdempotencyHeaders,
          params: PaymentIdParams,
          response: { 200: answer(Refund), ...errors(400, 409, 413, 422) },
        },
      },
      (request, reply) => refundPayment(service, request, reply),
    )
  })
}
