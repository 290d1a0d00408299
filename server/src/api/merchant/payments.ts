import { media } from '@florin/contract/common.js'
import {
  CreatedPayment,
  CreatePaymentBody,
  PaymentDetails,
  PaymentIdParams,
  PaymentList,
  PaymentListQuery,
  PaymentStatus,
  QrQuery,
  Refund,
  StatusNotFound,
  StatusQuery,
} from '@florin/contract/payments.js'
import { paymentView, qrCodeOf } from '../../core/paymentView.ts'
import { qrPng, qrSvg } from '../../platform/qrImages.ts'
import type { Merchant } from '../kit/authenticate.ts'
import { createPayment, prepareBody } from '../kit/payment/createPayment.ts'
import { listPayments } from '../kit/payment/listPayments.ts'
import {
  expirePayment,
  findRecord,
  getStatus,
  ownPaymentKey,
  refundPayment,
  refundProblems,
} from '../kit/payment/payments.ts'
import { refuse, refuseUnknownStatus, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import { createdView } from '../kit/views.ts'

export function paymentRoutes(route: DeclareRoute<Merchant>): void {
  route('POST /merchant/payment/create', {
    operationId: 'createPayment',
    summary: 'Create a payment',
    description:
      'Creates a pending payment. The customer pays it by QR code before it expires. Show `qr_code` yourself, or redirect the customer to the checkout page in the `Link` header.',
    scope: 'create',
    takesIdempotencyKey: true,
    body: CreatePaymentBody,
    response: CreatedPayment,
    hasOwnChecks: true,
    preValidation: prepareBody,
    handler: (call) => createPayment(call, createdView),
  })

  route('GET /merchant/payment/:paymentId', {
    operationId: 'getPayment',
    summary: 'Get payment details',
    description:
      'Returns all details of a payment. Every field is present; a field without a value is null.',
    scope: 'read',
    params: PaymentIdParams,
    data: PaymentDetails,
    handler: async (call) => {
      const found = await findRecord(call)
      if (found === null) return refuse(call.reply, 'details_payment_unknown')
      const { service, caller, reply } = call
      const view = paymentView(found, caller.store, service.config.publicUrl)
      return succeed(reply, 'Payment details', view)
    },
  })

  route('GET /merchant/payment/:paymentId/status', {
    operationId: 'getPaymentStatus',
    summary: 'Get payment status',
    description:
      'Returns the status of a payment. With `wait`, responds when the payment is no longer pending, or after that many seconds.',
    scope: 'read',
    params: PaymentIdParams,
    query: StatusQuery,
    data: PaymentStatus,
    errorBodies: { 404: StatusNotFound },
    handler: (call) => getStatus(call, refuseUnknownStatus),
  })

  route('POST /merchant/payment/:paymentId/refund', {
    operationId: 'refundPayment',
    summary: 'Refund a payment',
    description:
      'Refunds a completed payment in full. The payer receives the refund amount: gross minus the refund fee. The store balance must cover the refund amount; the part of the fee that it does not cover is waived. The transaction fee is not returned. Partial refunds are not supported: a JSON body with the key `amount` is refused, any other body is ignored.',
    scope: 'refund',
    takesIdempotencyKey: true,
    params: PaymentIdParams,
    ignoresBody: true,
    data: Refund,
    check: refundProblems,
    handler: refundPayment,
  })

  route('GET /merchant/payments', {
    operationId: 'listPayments',
    summary: 'List payments',
    description:
      'Lists payments in the mode of the API key, newest first. Repeat with `cursor` until `next_cursor` is null.',
    scope: 'read',
    query: PaymentListQuery,
    data: PaymentList,
    hasOwnChecks: true,
    handler: listPayments,
  })

  route('POST /merchant/payment/:paymentId/expire', {
    operationId: 'expirePayment',
    summary: 'Expire a payment',
    description:
      'Expires a pending payment immediately, so that it cannot be paid. A body is ignored.',
    scope: 'create',
    params: PaymentIdParams,
    ignoresBody: true,
    data: PaymentStatus,
    errors: [409],
    handler: (call) => expirePayment(call, 'cancelled'),
  })

  route('GET /merchant/payment/:paymentId/qr', {
    operationId: 'getQrImage',
    summary: 'Get a QR code image',
    description:
      'Returns the QR code with its quiet zone. It is available in every status of the payment.',
    scope: 'read',
    params: PaymentIdParams,
    query: QrQuery,
    response: media('The image', 'image/svg+xml', 'image/png'),
    handler: async (call) => {
      const { service, query, reply } = call
      const { format = 'svg', size: sizePx = 290 } = query
      const key = ownPaymentKey(call)
      const found = key && (await service.readPayment(key))
      if (found === null) return refuse(reply, 'payment_unknown')
      const code = qrCodeOf(found.payment)
      return format === 'png'
        ? reply.header('content-type', 'image/png').send(await qrPng(code, sizePx))
        : reply.header('content-type', 'image/svg+xml').send(qrSvg(code, sizePx))
    },
  })
}
