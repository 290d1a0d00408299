import { PageQuery } from '@florin/contract/operator.js'
import {
  RateBody,
  RateHistory,
  RateList,
  RateParams,
  Rate as RateSchema,
} from '@florin/contract/platform.js'
import { wireTime } from '../../core/calendar.ts'
import { parseCurrency } from '../../core/currencies.ts'
import { formatRate, parseRate } from '../../core/money.ts'
import { setRate } from '../../ops/rates.ts'
import { listRateHistory, listRates, type Rate } from '../../sql/rates.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { type FieldProblem, problemOf, schemaProblems } from '../kit/http/validation.ts'
import { pageOf, pageQuery } from '../kit/paging.ts'
import { refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function rateRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('PUT /operator/rates/:from/:to', {
    operationId: 'setRate',
    summary: 'Set an exchange rate',
    permission: 'money',
    description: 'Sets the value of one unit of `from` in `to`. It applies to new payments.',
    needsConfirmation: true,
    params: RateParams,
    body: RateBody,
    data: RateSchema,
    hasOwnChecks: true,
    handler: async (call) => {
      const { service, caller, params, body, request, reply } = call
      const { from, to } = parsePair(params)
      const problems = [...pairProblems(params), ...schemaProblems(request)]
      if (problems.length > 0 || !from || !to) return refuseInvalid(reply, problems)
      const rate = parseRate(body.rate)
      if (rate === null) {
        const text =
          'must be above zero, with at most eight digits before the decimal point and four after it, such as "1.0842"'
        return refuseField(reply, 'rate', text)
      }
      const set = await setRate(service.database, caller.actor, { from, to, rate })
      service.rates.forget(`${from}/${to}`)
      return succeed(reply, 'Rate set', rateView(set))
    },
  })

  route('GET /operator/rates', {
    operationId: 'listRates',
    summary: 'List exchange rates',
    permission: 'read',
    description: 'Lists the current rate of each pair of currencies.',
    data: RateList,
    handler: async ({ service, reply }) => {
      const rates = await listRates(service.database)
      return succeed(reply, 'Rates', { rates: rates.map(rateView) })
    },
  })

  route('GET /operator/rates/:from/:to', {
    operationId: 'getRateHistory',
    summary: 'List the history of an exchange rate',
    permission: 'read',
    description: 'Lists the current and previous rates of a pair of currencies, newest first.',
    params: RateParams,
    query: PageQuery,
    data: RateHistory,
    handler: async ({ service, params, query, reply }) => {
      const { from, to } = parsePair(params)
      if (!from || !to) return refuse(reply, 'rate_unknown')
      const { limit, cursor, problems } = pageQuery(query)
      const before = cursor((text) => (/^\d{1,15}$/.test(text) ? new Date(Number(text)) : null))
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const found = await listRateHistory(service.database, { from, to, before, limit: limit + 1 })
      if (found.length === 0 && before === null) return refuse(reply, 'rate_unknown')
      const { items, nextCursor } = pageOf(found, limit, (last) => String(last.setAt.getTime()))
      return succeed(reply, 'Rates', { rates: items.map(rateView), next_cursor: nextCursor })
    },
  })
}

const parsePair = (params: RateParams) => ({
  from: parseCurrency(params.from),
  to: parseCurrency(params.to),
})

function pairProblems(params: RateParams): FieldProblem[] {
  const pair = parsePair(params)
  const problems: FieldProblem[] = []
  for (const field of ['from', 'to'] as const) {
    if (pair[field] !== null) continue
    problems.push(problemOf(field, 'must be an ISO 4217 code in upper case, such as USD'))
  }
  if (pair.from !== null && pair.from === pair.to) {
    problems.push(problemOf('to', 'must not be the same currency as from'))
  }
  return problems
}

function rateView(rate: Rate) {
  return { from: rate.from, to: rate.to, rate: formatRate(rate.rate), set_at: wireTime(rate.setAt) }
}
