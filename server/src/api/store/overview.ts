import { answer, errors } from '@florin/contract/common.js'
import { Overview, Series, SeriesQuery } from '@florin/contract/overview.js'
import { ModeParams } from '@florin/contract/store.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lastDays, wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { type Outcomes, sumOf } from '../../core/outcomes.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import { readUsage } from '../../ops/readUsage.ts'
import type { Service } from '../../service.ts'
import { readStoreQueue } from '../../sql/deliveries.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { databaseTime } from '../../sql/locks.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { succeed } from '../kit/replies.ts'
import { limitView, outcomesView } from '../kit/views.ts'
import { readStoreMode } from './mode.ts'

const HOUR_MS = 3_600_000
const DELIVERIES_LOOKED_AT = 1_000
/** Days are summed for so long; those that are left come with the next question. */
const SUMMING_MS = 1_000

/** How the store is doing, for its people. */
export async function storeOverviewRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', readStoreMode)
  const config = { scope: 'read', roles: PAGE_ROLES.overview } as const

  app.get(
    '/store/:mode/overview',
    {
      config,
      schema: {
        ...docs,
        operationId: 'getOverview',
        summary: 'Today against yesterday, the balance, and what needs attention',
        params: ModeParams,
        response: { 200: answer(Overview), ...errors() },
      },
    },
    (request, reply) => readOverview(service, request, reply),
  )

  app.get(
    '/store/:mode/overview/series',
    {
      config,
      schema: {
        ...docs,
        operationId: 'getSeries',
        summary: 'Sales and their success over time',
        params: ModeParams,
        querystring: SeriesQuery,
        response: { 200: answer(Series), ...errors(400) },
      },
    },
    (request, reply) => readSeries(service, request, reply),
  )
}

async function readOverview(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { database, dispatcher, outcomes } = service
  const { store, mode } = merchantOf(request)
  const { storeId, timeZone, currency } = store
  const own = { storeId, mode }
  const at = await databaseTime(database)
  const [today, yesterday] = lastDays(at, timeZone, 2)
  const sinceMidnightMs = at.getTime() - today!.from.getTime()
  const sameTimeMs = yesterday!.from.getTime() + sinceMidnightMs
  // A day that lost an hour ends before today's last one.
  const sameTime = new Date(Math.min(sameTimeMs, yesterday!.to.getTime()))
  const [now, before, balances, used, queue] = await Promise.all([
    outcomes.hours({ ...own, ...today! }, at),
    outcomes.until({ ...own, ...yesterday! }, sameTime, at),
    findStoreBalances(database, [own]),
    readUsage(database, dispatcher.outbox, store, mode),
    readStoreQueue(database, { ...own, lookedAt: DELIVERIES_LOOKED_AT }),
  ])
  return succeed(reply, 'Overview', {
    day: today!.day,
    time_zone: timeZone,
    currency,
    today: outcomesView(sumOf(now), store),
    yesterday: outcomesView(before, store),
    balance: formatMinor(balances[0]!.balance, currency),
    limits: { daily: limitView(store, 'day', used), monthly: limitView(store, 'month', used) },
    webhooks: {
      failing: queue.failing,
      exhausted: queue.exhausted,
      last_error: queue.lastError,
    },
  })
}

async function readSeries(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { days: count = 30 } = request.query as SeriesQuery
  const { store, mode } = merchantOf(request)
  const { storeId, timeZone, currency } = store
  const at = await databaseTime(service.database)
  const wanted = lastDays(at, timeZone, count).map((day) => ({ ...day, storeId, mode }))
  const points: { from: Date; outcomes: Outcomes }[] = []
  if (count === 1) {
    const { from } = wanted[0]!
    const hours = await service.outcomes.hours(wanted[0]!, at)
    hours.forEach((outcomes, n) => {
      points.push({ from: new Date(from.getTime() + n * HOUR_MS), outcomes })
    })
  } else {
    const untilMs = performance.now() + SUMMING_MS
    for (const day of wanted) {
      if (performance.now() > untilMs && !service.outcomes.isKnown(day)) break
      points.unshift({ from: day.from, outcomes: sumOf(await service.outcomes.hours(day, at)) })
    }
  }
  return succeed(reply, 'Series', {
    currency,
    time_zone: timeZone,
    step: count === 1 ? 'hour' : 'day',
    points: points.map(({ from, outcomes }) => ({
      from: wireTime(from),
      ...outcomesView(outcomes, store),
    })),
    total: outcomesView(sumOf(points.map((point) => point.outcomes)), store),
    is_complete: count === 1 || points.length === count,
  })
}
