import { OperatorPayment, OperatorPaymentListQuery } from '@florin/contract/business.js'
import { StoreParams } from '@florin/contract/operator.js'
import { PaymentAudit } from '@florin/contract/overview.js'
import { PaymentIdParams } from '@florin/contract/payments.js'
import { StorePaymentList } from '@florin/contract/store.js'
import { PaymentWebhooks } from '@florin/contract/webhooks.js'
import { parsePaymentId } from '../../core/ids.ts'
import { storePaymentView } from '../../core/paymentView.ts'
import { auditPayment } from '../../ops/auditPayment.ts'
import type { Service } from '../../service.ts'
import { findStore } from '../../sql/stores.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { searchPayments } from '../kit/payment/listPayments.ts'
import { sendWebhooks } from '../kit/payment/webhooks.ts'
import { refuse, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import { paymentAuditView } from '../kit/views.ts'
import type { StoreOperator } from './subjects.ts'

export function storePaymentRoutes(route: DeclareRoute<StoreOperator>): void {
  route('GET /operator/stores/:storeId/payments', {
    operationId: 'listPaymentsOfStore',
    summary: 'List the payments of a store',
    permission: 'read',
    description:
      'Lists the payments of one mode, by default live, newest first. Repeat with `cursor` until `next_cursor` is null.',
    params: StoreParams,
    query: OperatorPaymentListQuery,
    data: StorePaymentList,
    hasOwnChecks: true,
    handler: (call) => {
      const { store, actor } = call.caller
      const { mode = 'live' } = call.query
      const scopes = ['read'] as const
      const caller = { store, mode, actor, scopes, apiKey: null, canSeeWebhooks: true }
      return searchPayments({ ...call, caller })
    },
  })
}

export function paymentRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/payments/:paymentId', {
    operationId: 'getPaymentOfStore',
    summary: 'Get payment details',
    permission: 'read',
    description: 'Returns a payment of any store.',
    params: PaymentIdParams,
    data: OperatorPayment,
    handler: async ({ service, params, reply }) => {
      const found = await findById(service, params)
      const record = found && (await service.readPayment(found))
      const store = record && (await findStore(service.database, record.payment.storeId))
      if (!record || !store) return refuse(reply, 'payment_unknown')
      const view = storePaymentView(record, store, service.config.publicUrl)
      return succeed(reply, 'Payment details', { store_id: store.storeId, ...view })
    },
  })

  route('GET /operator/payments/:paymentId/audit', {
    operationId: 'auditPayment',
    summary: 'Get the actors of a payment',
    permission: 'read',
    description:
      'Returns the API key or person that created or refunded a payment of any store, and the person who cancelled it.',
    params: PaymentIdParams,
    data: PaymentAudit,
    handler: async ({ service, params, reply }) => {
      const found = await findById(service, params)
      const audit = found && (await auditPayment(service.database, found))
      if (found === null || audit === null) return refuse(reply, 'payment_unknown')
      return succeed(reply, 'Payment audit', paymentAuditView(found.paymentId, audit))
    },
  })

  route('GET /operator/payments/:paymentId/webhooks', {
    operationId: 'listWebhooksOfPayment',
    summary: 'List the webhooks of a payment',
    permission: 'read',
    description: 'Lists every event of a payment of any store with its latest delivery attempts.',
    params: PaymentIdParams,
    data: PaymentWebhooks,
    handler: async (call) => {
      const found = await findById(call.service, call.params)
      return found ? sendWebhooks(call, found) : refuse(call.reply, 'payment_unknown')
    },
  })
}

/** The mode is not needed: an id exists in one mode only. */
async function findById(service: Service, { paymentId }: PaymentIdParams) {
  const parsed = parsePaymentId(paymentId)
  return parsed && service.readPaymentById(parsed)
}
