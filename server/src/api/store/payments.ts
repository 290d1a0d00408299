import { answer, errors, IdempotencyHeaders } from '@florin/contract/common.js'
import { PaymentDetails, PaymentStatus, Refund, StatusQuery } from '@florin/contract/payments.js'
import {
  ChargeBody,
  ChargedPayment,
  ModeParams,
  RefundPreview,
  StorePaymentList,
  StorePaymentListQuery,
  StorePaymentParams,
  Today,
} from '@florin/contract/store.js'
import type { Locale } from '@florin/shared/locales.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lastDays } from '../../core/calendar.ts'
import { refundFee } from '../../core/fees.ts'
import { instructions } from '../../core/instructions.ts'
import { formatMinor } from '../../core/money.ts'
import { sumOf } from '../../core/outcomes.ts'
import { decideRefund, type Payment } from '../../core/payment.ts'
import { paymentView } from '../../core/paymentView.ts'
import { capRefusal } from '../../core/person.ts'
import type { Store } from '../../core/store.ts'
import type { Service } from '../../service.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { databaseTime } from '../../sql/locks.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { merchantOf, personOf } from '../kit/authenticate.ts'
import { acceptAnything, acceptJson } from '../kit/bodies.ts'
import { createPayment } from '../kit/createPayment.ts'
import { searchPayments } from '../kit/listPayments.ts'
import {
  expirePayment,
  getDetails,
  getStatus,
  ownPayment,
  refundPayment,
  refundProblems,
} from '../kit/payments.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { outcomesView } from '../kit/views.ts'
import { merchantCall, readStoreMode } from './mode.ts'

/** What the people of a store do with its payments: the merchant's own calls, by role instead of key. */
export async function storePaymentsRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', readStoreMode)

  await app.register(async (json) => {
    acceptJson(json)
    json.post(
      '/store/:mode/payments',
      {
        attachValidation: true,
        config: { scope: 'create' },
        schema: {
          ...docs,
          operationId: 'chargeAtTill',
          summary: 'Ask for money at the till',
          headers: IdempotencyHeaders,
          params: ModeParams,
          body: ChargeBody,
          response: { 200: answer(ChargedPayment), ...errors(400, 409, 413, 415, 422) },
        },
        preValidation: (request, reply, done) => {
          if (request.body === undefined) return void refuse(reply, 'unsupported_media_type')
          request.body = chargeFields(request.body, merchantOf(request).store)
          done()
        },
      },
      (request, reply) =>
        createPayment(
          merchantCall<{ body: ChargeBody }>(service, request, reply),
          chargedView(service),
        ),
    )
  })

  app.get(
    '/store/:mode/payments',
    {
      attachValidation: true,
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'listStorePayments',
        summary: 'List payments, newest first',
        params: ModeParams,
        querystring: StorePaymentListQuery,
        response: { 200: answer(StorePaymentList), ...errors(400) },
      },
    },
    (request, reply) =>
      searchPayments(
        merchantCall<{ query: StorePaymentListQuery; data: StorePaymentList }>(
          service,
          request,
          reply,
        ),
      ),
  )

  app.get(
    '/store/:mode/payments/:paymentId',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getStorePayment',
        summary: "Read a payment's full details",
        params: StorePaymentParams,
        response: { 200: answer(PaymentDetails), ...errors() },
      },
    },
    (request, reply) =>
      getDetails(
        merchantCall<{ params: StorePaymentParams; data: PaymentDetails }>(service, request, reply),
        'payment_unknown',
      ),
  )

  app.get(
    '/store/:mode/payments/:paymentId/status',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getStorePaymentStatus',
        summary: "Read a payment's status, or wait for it to change",
        params: StorePaymentParams,
        querystring: StatusQuery,
        response: { 200: answer(PaymentStatus), ...errors(400) },
      },
    },
    (request, reply) =>
      getStatus(
        merchantCall<{ params: StorePaymentParams; query: StatusQuery; data: PaymentStatus }>(
          service,
          request,
          reply,
        ),
        refuseUnknown,
      ),
  )

  app.get(
    '/store/:mode/payments/:paymentId/refund',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'previewRefund',
        summary: 'What a refund would come to, and whether this person can make it',
        params: StorePaymentParams,
        response: { 200: answer(RefundPreview), ...errors() },
      },
    },
    (request, reply) => previewRefund(service, request, reply),
  )

  app.get(
    '/store/:mode/today',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getToday',
        summary: "Sales and refunds of the store's own day",
        params: ModeParams,
        response: { 200: answer(Today), ...errors() },
      },
    },
    (request, reply) => readToday(service, request, reply),
  )

  await app.register(async (bodyless) => {
    acceptAnything(bodyless)
    bodyless.post(
      '/store/:mode/payments/:paymentId/expire',
      {
        config: { scope: 'create' },
        schema: {
          ...docs,
          operationId: 'expireStorePayment',
          summary: 'Give up a pending payment',
          params: StorePaymentParams,
          response: { 200: answer(PaymentStatus), ...errors(409, 413) },
        },
      },
      (request, reply) =>
        expirePayment(
          merchantCall<{ params: StorePaymentParams; data: PaymentStatus }>(
            service,
            request,
            reply,
          ),
        ),
    )
    bodyless.post(
      '/store/:mode/payments/:paymentId/refund',
      {
        config: { scope: 'refund' },
        schema: {
          ...docs,
          operationId: 'refundStorePayment',
          summary: 'Send the money back in full, within what the role may refund',
          headers: IdempotencyHeaders,
          params: StorePaymentParams,
          response: { 200: answer(Refund), ...errors(400, 409, 413, 422) },
        },
      },
      (request, reply) => refundWithinCap(service, request, reply),
    )
  })
}

const refuseUnknown = (reply: FastifyReply) => refuse(reply, 'payment_unknown')

/** A till asks for less than a shop's server may, and in the store's currency unless it says otherwise. */
function chargeFields(body: unknown, store: Store): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const known = Object.entries(body).filter(([name]) => name in ChargeBody.properties)
  const fields: { currency?: unknown } = Object.fromEntries(known)
  return { ...fields, currency: fields.currency ?? store.currency }
}

const chargedView = (service: Service) => (payment: Payment, store: Store, locale: Locale) => ({
  status: 200,
  message: 'Payment created',
  data: {
    ...paymentView({ payment, payer: null, latestCall: null }, store, service.config.publicUrl),
    instructions: instructions(payment, store, locale),
  },
})

async function paymentOf(service: Service, request: FastifyRequest): Promise<Payment | null> {
  const key = ownPayment({
    params: request.params as StorePaymentParams,
    caller: merchantOf(request),
  })
  const found = key && (await service.readPayment(key))
  return found?.payment ?? null
}

/** Gross never changes, so what is above the cap here is above it in the refund's transaction. */
async function refundWithinCap(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const problems = refundProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const payment = await paymentOf(service, request)
  if (payment === null) return refuse(reply, 'payment_unknown')
  const { role, store } = personOf(request)
  const reason = capRefusal(role, store, payment.gross)
  if (reason !== null) return refuse(reply, reason)
  return refundPayment(
    merchantCall<{ params: StorePaymentParams; data: Refund }>(service, request, reply),
  )
}

/** The preview decides as refunding would, so that the two never disagree. */
async function previewRefund(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const payment = await paymentOf(service, request)
  if (payment === null) return refuse(reply, 'payment_unknown')
  const { role, store } = personOf(request)
  const [row] = await findStoreBalances(service.database, [payment])
  const { gross, currency } = payment
  const { balance } = row!
  const decision = decideRefund(payment, {
    storeBalance: balance,
    feeMinor: store.refundFeeMinor,
  })
  const terms = decision.kind === 'refund' ? decision : null
  const impossible = decision.kind === 'refuse' ? decision.reason : null
  const reason = capRefusal(role, store, gross) ?? impossible
  const fee = payment.refundFee ?? refundFee(gross, store.refundFeeMinor)
  const storeDebit = terms && gross - terms.waivedFee
  const money = (minor: bigint) => formatMinor(minor, currency)
  return succeed(reply, 'Refund preview', {
    payment_id: payment.paymentId,
    status: payment.status,
    currency,
    gross: money(gross),
    refund_fee: money(fee),
    refund_amount: money(gross - fee),
    store_balance: money(balance),
    refund_fee_waived: terms && money(terms.waivedFee),
    store_debit: storeDebit && money(storeDebit),
    store_balance_after: storeDebit && money(balance - storeDebit),
    can_refund: reason === null,
    reason,
  })
}

async function readToday(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { store, mode } = merchantOf(request)
  const { storeId, timeZone, currency } = store
  const at = await databaseTime(service.database)
  const [today] = lastDays(at, timeZone, 1)
  const outcomes = sumOf(await service.outcomes.hours({ storeId, mode, ...today! }, at))
  const { sales, refunds } = outcomesView(outcomes, store)
  return succeed(reply, 'Today', {
    day: today!.day,
    time_zone: timeZone,
    currency,
    sales,
    refunds,
  })
}
