import { answer, errors } from '@florin/contract/common.js'
import { listOf } from '@florin/contract/fields.js'
import {
  PageQuery,
  page,
  RateBody,
  RateParams,
  Rate as RateSchema,
} from '@florin/contract/operator.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { parseCurrency } from '../../core/currencies.ts'
import { formatRate, parseRate } from '../../core/money.ts'
import { setRate } from '../../ops/rates.ts'
import type { Service } from '../../service.ts'
import { listRates, type Rate, rateHistory } from '../../sql/rates.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { type ListQuery, pageQuery } from '../kit/paging.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { type FieldProblem, schemaProblems } from '../kit/validation.ts'

export async function operatorRateRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.put(
    '/operator/rates/:from/:to',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'setRate',
        summary: 'Set an exchange rate: how much of `to` one `from` is worth',
        params: RateParams,
        body: RateBody,
        response: { 200: answer(RateSchema), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const { from, to, problems: unknown } = pairOf(request)
      const problems = [...unknown, ...schemaProblems(request)]
      if (problems.length > 0 || !from || !to) return refuseInvalid(reply, problems)
      const rate = parseRate((request.body as { rate: string }).rate)
      if (rate === null) {
        const message = 'rate must be above zero with at most four places, such as "1.0842"'
        return refuseInvalid(reply, [{ field: 'rate', message }])
      }
      const set = await setRate(service.database, request.actor!, { from, to, rate })
      service.rates.forget(`${from}/${to}`)
      return succeed(reply, 'Rate set', rateView(set))
    },
  )

  app.get(
    '/operator/rates',
    {
      schema: {
        ...docs,
        operationId: 'listRates',
        summary: 'The rates in force',
        response: { 200: answer(Type.Object({ rates: listOf(RateSchema) })), ...errors() },
      },
    },
    async (_request, reply) => {
      const rates = await listRates(service.database)
      return succeed(reply, 'Rates', { rates: rates.map(rateView) })
    },
  )

  app.get(
    '/operator/rates/:from/:to',
    {
      schema: {
        ...docs,
        operationId: 'getRateHistory',
        summary: 'A rate and those before it, newest first',
        params: RateParams,
        querystring: PageQuery,
        response: { 200: answer(page('rates', RateSchema)), ...errors(400) },
      },
    },
    async (request, reply) => {
      const { from, to } = pairOf(request)
      if (!from || !to) return refuse(reply, 'rate_unknown')
      const problems: FieldProblem[] = []
      const asked = pageQuery(request.query as ListQuery, problems)
      const limit = asked.limit
      const before = asked.cursor((text) =>
        /^\d{1,15}$/.test(text) ? new Date(Number(text)) : null,
      )
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const page = { from, to, before, limit: limit + 1 }
      const rates = await rateHistory(service.database, page)
      if (rates.length === 0 && before === null) return refuse(reply, 'rate_unknown')
      const shown = rates.slice(0, limit)
      return succeed(reply, 'Rates', {
        rates: shown.map(rateView),
        next_cursor: rates.length > limit ? String(shown.at(-1)!.setAt.getTime()) : null,
      })
    },
  )
}

function pairOf(request: FastifyRequest) {
  const params = request.params as { from: string; to: string }
  const from = parseCurrency(params.from)
  const to = parseCurrency(params.to)
  const problems: FieldProblem[] = []
  if (from === null) problems.push({ field: 'from', message: 'from must be an ISO 4217 code' })
  if (to === null) problems.push({ field: 'to', message: 'to must be an ISO 4217 code' })
  if (from !== null && from === to) {
    problems.push({ field: 'to', message: 'to must be another currency than from' })
  }
  return { from, to, problems }
}

function rateView(rate: Rate) {
  return { from: rate.from, to: rate.to, rate: formatRate(rate.rate), set_at: wireTime(rate.setAt) }
}
