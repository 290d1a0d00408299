import { answer, errors, media } from '@florin/contract/common.js'
import {
  Balance,
  QuoteQuery,
  Quote as QuoteSchema,
  Store as StoreSchema,
} from '@florin/contract/merchant.js'
import {
  PaymentIdParams,
  PaymentList,
  PaymentListQuery,
  PaymentStatus,
  QrQuery,
} from '@florin/contract/payments.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseCurrency } from '../../core/currencies.ts'
import { limitBreach, type Period } from '../../core/limits.ts'
import { formatMinor, parseDecimal, RATE_ONE } from '../../core/money.ts'
import { amountMessage, type Quote, quote, singleLimitProblem } from '../../core/newPayment.ts'
import { qrCodeOf, requestAmountView } from '../../core/paymentView.ts'
import { qrPng, qrSvg } from '../../core/qr.ts'
import type { Store } from '../../core/store.ts'
import { readUsage } from '../../ops/readUsage.ts'
import type { Service } from '../../service.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { sumPending } from '../../sql/payments.ts'
import { MERCHANT_DOCS } from '../kit/audiences.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { acceptAnything } from '../kit/bodies.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { listPayments } from '../kit/listPayments.ts'
import { expirePayment, ownPayment } from '../kit/payments.ts'
import { type FieldProblem, queryInteger, schemaProblems } from '../kit/validation.ts'
import { limitView, storeView } from '../kit/views.ts'

const docs = MERCHANT_DOCS

/** The calls that we add to the contract's four. */
export async function merchantMoreRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.get(
    '/merchant/payments',
    {
      attachValidation: true,
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'listPayments',
        summary: 'List payments, newest first',
        description:
          'Of the mode of the credentials. Go on with `cursor` until `next_cursor` is null.',
        querystring: PaymentListQuery,
        response: { 200: answer(PaymentList), ...errors(400) },
      },
    },
    (request, reply) => listPayments(service, request, reply),
  )

  await app.register(async (bodyless) => {
    acceptAnything(bodyless)
    bodyless.post(
      '/merchant/payment/:paymentId/expire',
      {
        config: { scope: 'create' },
        schema: {
          ...docs,
          operationId: 'expirePayment',
          summary: 'Give up a pending payment',
          description: 'It expires at once, and can no longer be paid. A body is ignored.',
          params: PaymentIdParams,
          response: { 200: answer(PaymentStatus), ...errors(409, 413) },
        },
      },
      (request, reply) => expirePayment(service, request, reply),
    )
  })

  app.get(
    '/merchant/payment/:paymentId/qr',
    {
      attachValidation: true,
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getQrImage',
        summary: 'The QR code as an image, quiet zone included',
        description: 'Scannable whatever became of the payment.',
        params: PaymentIdParams,
        querystring: QrQuery,
        response: { 200: media('The image', 'image/svg+xml', 'image/png'), ...errors(400) },
      },
    },
    async (request, reply) => {
      const { format = 'svg', size } = request.query as { format?: string; size?: string }
      const problems = schemaProblems(request)
      const sizePx = queryInteger(size, { min: 64, max: 2048, otherwise: 290 })
      if (sizePx === null) {
        problems.push({ field: 'size', message: 'size must be a whole number from 64 to 2048' })
      }
      if (problems.length > 0 || sizePx === null) return refuseInvalid(reply, problems)
      const key = ownPayment(request)
      const found = key && (await service.readPayment(key))
      if (found === null) return refuse(reply, 'payment_unknown')
      const code = qrCodeOf(found.payment)
      return format === 'png'
        ? reply.header('content-type', 'image/png').send(qrPng(code, sizePx))
        : reply.header('content-type', 'image/svg+xml').send(qrSvg(code, sizePx))
    },
  )

  app.get(
    '/merchant/balance',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getBalance',
        summary: "The store's balance",
        description:
          'What the store has, in the mode of the credentials, and what is still asked for.',
        response: { 200: answer(Balance), ...errors() },
      },
    },
    async (request, reply) => {
      const { store, mode } = merchantOf(request)
      const { storeId } = store
      const [balances, pending] = await Promise.all([
        findStoreBalances(service.database, [{ storeId, mode }]),
        sumPending(service.database, storeId, mode),
      ])
      return succeed(reply, 'Store balance', {
        balance: formatMinor(balances[0]!.balance, store.currency),
        currency: store.currency,
        pending_amount: formatMinor(pending, store.currency),
      })
    },
  )

  app.get(
    '/merchant/quote',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getQuote',
        summary: 'Rate, fee and what is left of the limits, before creating',
        description: 'What creating a payment of this amount would come to now. Nothing is kept.',
        querystring: QuoteQuery,
        response: { 200: answer(QuoteSchema), ...errors(400) },
      },
    },
    (request, reply) => getQuote(service, request, reply),
  )

  app.get(
    '/merchant/store',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'getStore',
        summary: "The store's profile and settings, and the mode of the credentials",
        description: 'What the operator has set, and what these credentials may do.',
        response: { 200: answer(StoreSchema), ...errors() },
      },
    },
    async (request, reply) => {
      const { store, mode, scopes } = merchantOf(request)
      return succeed(reply, 'Store', {
        ...storeView(store, service.config.publicUrl),
        mode,
        scopes,
      })
    },
  )
}

async function getQuote(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { store, mode } = merchantOf(request)
  const quoted = await judgeQuote(service, store, request.query as QuoteFields)
  if (Array.isArray(quoted)) return refuseInvalid(reply, quoted)

  const { database, dispatcher } = service
  const used = await readUsage(database, dispatcher.outbox, store, mode)
  const money = (minor: bigint) => formatMinor(minor, store.currency)
  const shown = (period: Period) => {
    const { limit, left } = limitView(store, period, used)
    return { limit, left }
  }
  const orNull = (minor: bigint | null) => (minor === null ? null : money(minor))
  return succeed(reply, 'Quote', {
    request_amount: requestAmountView({ ...quoted, conversionRate: quoted.rate }),
    gross: money(quoted.gross),
    transaction_fee: money(quoted.fee),
    amount: money(quoted.gross - quoted.fee),
    currency: store.currency,
    limits: {
      min_amount: orNull(store.minAmountMinor),
      max_amount: orNull(store.maxAmountMinor),
      daily: shown('day'),
      monthly: shown('month'),
    },
    within_limits:
      singleLimitProblem(store, quoted.gross) === null &&
      limitBreach(store, used, quoted.gross) === null,
  })
}

type QuoteFields = { amount?: string; currency?: string }

async function judgeQuote(
  service: Service,
  store: Store,
  query: QuoteFields,
): Promise<Quote | FieldProblem[]> {
  const wrong = (field: string, message: string) => [{ field, message: `${field} ${message}` }]
  const missing = ['amount', 'currency'].filter((field) => !query[field as keyof QuoteFields])
  if (missing.length > 0) return missing.flatMap((field) => wrong(field, 'is required'))
  const currency = parseCurrency(query.currency!)
  if (currency === null) return wrong('currency', 'must be an ISO 4217 code in upper case')
  const amount = parseDecimal(query.amount!, currency)
  if (typeof amount !== 'bigint') return wrong('amount', amountMessage(amount, currency))
  if (amount === 0n) return wrong('amount', 'must be greater than 0')
  const rate =
    currency === store.currency
      ? RATE_ONE
      : (await service.rates.get(`${currency}/${store.currency}`))?.rate
  if (rate === undefined) return wrong('currency', `cannot be converted to ${store.currency}`)
  const quoted = quote(store, amount, currency, rate)
  return 'problem' in quoted ? [{ field: 'amount', message: quoted.problem }] : quoted
}
