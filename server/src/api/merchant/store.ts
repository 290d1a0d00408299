import { Balance, Quote, QuoteQuery, Store } from '@florin/contract/merchant.js'
import type { FastifyReply } from 'fastify'
import { limitBreach, type Period } from '../../core/limits.ts'
import { formatMinor } from '../../core/money.ts'
import { amountLimitProblem } from '../../core/newPayment.ts'
import { requestAmountView } from '../../core/paymentView.ts'
import { quotePayment } from '../../ops/quotePayment.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { sumPending } from '../../sql/payments.ts'
import type { Merchant } from '../kit/authenticate.ts'
import { inFieldOrder, schemaProblems } from '../kit/http/validation.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { limitView, storeView } from '../kit/views.ts'

export function storeRoutes(route: DeclareRoute<Merchant>): void {
  route('GET /merchant/balance', {
    operationId: 'getBalance',
    summary: 'Get the store balance',
    description:
      'Returns the balance of the store in the mode of the API key, and the gross of its pending payments.',
    scope: 'read',
    data: Balance,
    handler: async ({ service, caller, reply }) => {
      const { store, mode } = caller
      const { storeId, currency } = store
      const [balances, pending] = await service.readOfStore(storeId, () =>
        Promise.all([
          findStoreBalances(service.database, [{ storeId, mode }]),
          sumPending(service.database, { storeId, mode }, service.clock.now()),
        ]),
      )
      return succeed(reply, 'Store balance', {
        balance: formatMinor(balances[0]!.balance, currency),
        currency,
        pending_amount: formatMinor(pending, currency),
      })
    },
  })

  route('GET /merchant/quote', {
    operationId: 'getQuote',
    summary: 'Get a quote',
    description:
      'Returns the rate, the fee and the remaining limits that would apply to a payment of this amount. Nothing is stored.',
    scope: 'read',
    query: QuoteQuery,
    data: Quote,
    hasOwnChecks: true,
    handler: getQuote,
  })

  route('GET /merchant/store', {
    operationId: 'getStore',
    summary: 'Get the store',
    description: 'Returns the profile and settings of the store, and the scopes of this API key.',
    scope: 'read',
    data: Store,
    handler: async ({ service, caller, reply }) => {
      const { store, mode, scopes } = caller
      return succeed(reply, 'Store', {
        ...storeView(store, service.config.publicUrl),
        mode,
        scopes,
      })
    },
  })
}

type QuoteCall = Call<Merchant, { query: QuoteQuery; data: Quote }>

async function getQuote(call: QuoteCall): Promise<FastifyReply> {
  const { service, caller, query, request, reply } = call
  const { store, mode } = caller
  const { database, outbox, rates } = service
  const shapeProblems = schemaProblems(request)
  const invalidFields = new Set(shapeProblems.map((problem) => problem.field))
  const quoted = await service.readOfStore(store.storeId, () =>
    quotePayment(database, outbox, rates, { store, mode, ...query, invalidFields }),
  )
  if ('problems' in quoted) {
    const fields = Object.keys(QuoteQuery.properties)
    return refuseInvalid(reply, inFieldOrder(fields, shapeProblems, quoted.problems))
  }
  const { quote, used } = quoted
  const money = (minor: bigint) => formatMinor(minor, store.currency)
  const moneyOrNull = (minor: bigint | null) => (minor === null ? null : money(minor))
  const volume = (period: Period) => {
    const { limit, left } = limitView(store, period, used)
    return { limit, left }
  }
  return succeed(reply, 'Quote', {
    request_amount: requestAmountView({ ...quote, conversionRate: quote.rate }),
    gross: money(quote.gross),
    transaction_fee: money(quote.fee),
    amount: money(quote.gross - quote.fee),
    currency: store.currency,
    limits: {
      min_amount: moneyOrNull(store.minAmountMinor),
      max_amount: moneyOrNull(store.maxAmountMinor),
      daily: volume('day'),
      monthly: volume('month'),
    },
    within_limits:
      amountLimitProblem(store, quote.gross) === null &&
      limitBreach(store, used, quote.gross) === null,
  })
}
