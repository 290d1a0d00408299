import { answer, errors } from '@florin/contract/common.js'
import { PaymentLedger } from '@florin/contract/overview.js'
import { StorePaymentParams } from '@florin/contract/store.js'
import { PaymentWebhooks, ResentEvent } from '@florin/contract/webhooks.js'
import type { FastifyInstance } from 'fastify'
import { PAGE_ROLES } from '../../core/pages.ts'
import type { Service } from '../../service.ts'
import { findTransfersOf } from '../../sql/ledger.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { acceptAnything } from '../kit/bodies.ts'
import { existingPayment } from '../kit/payments.ts'
import { refuse, succeed } from '../kit/replies.ts'
import { transferLineView } from '../kit/views.ts'
import { listPaymentWebhooks, resendLatestEvent } from '../kit/webhooks.ts'
import { merchantCall, readStoreMode } from './mode.ts'

/** What stands behind one payment: the money that it moved, and what the shop's server was told. */
export async function storePaymentRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', readStoreMode)
  // Not for the cashier: these are the books, and the developers' side.
  const config = { scope: 'read', roles: PAGE_ROLES.balance } as const

  app.get(
    '/store/:mode/payments/:paymentId/ledger',
    {
      config,
      schema: {
        ...docs,
        operationId: 'listPaymentTransfers',
        summary: 'Every movement of money that belongs to a payment',
        params: StorePaymentParams,
        response: { 200: answer(PaymentLedger), ...errors() },
      },
    },
    async (request, reply) => {
      const key = await existingPayment(
        merchantCall<{ params: StorePaymentParams }>(service, request, reply),
      )
      if (key === null) return refuse(reply, 'payment_unknown')
      const reference = key.paymentId
      const lines = await findTransfersOf(service.database, { ...key, reference })
      return succeed(reply, 'Ledger', { lines: lines.map(transferLineView) })
    },
  )

  app.get(
    '/store/:mode/payments/:paymentId/webhooks',
    {
      config,
      schema: {
        ...docs,
        operationId: 'listStorePaymentWebhooks',
        summary: 'Every event of a payment with every attempt to deliver it',
        params: StorePaymentParams,
        response: { 200: answer(PaymentWebhooks), ...errors() },
      },
    },
    (request, reply) =>
      listPaymentWebhooks(
        merchantCall<{ params: StorePaymentParams; data: PaymentWebhooks }>(
          service,
          request,
          reply,
        ),
      ),
  )

  await app.register(async (bodyless) => {
    acceptAnything(bodyless)
    bodyless.post(
      '/store/:mode/payments/:paymentId/webhooks/redeliver',
      {
        config: { scope: 'create', roles: PAGE_ROLES.developers },
        schema: {
          ...docs,
          operationId: 'redeliverStoreWebhook',
          summary: 'Send the latest event of a payment again, now, under the same id',
          params: StorePaymentParams,
          response: { 200: answer(ResentEvent), ...errors(409, 413) },
        },
      },
      (request, reply) =>
        resendLatestEvent(
          merchantCall<{ params: StorePaymentParams; data: ResentEvent }>(service, request, reply),
        ),
    )
  })
}
