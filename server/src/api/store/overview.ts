import { Overview, Series, SeriesQuery } from '@florin/contract/overview.js'
import { ModeParams, Today } from '@florin/contract/store.js'
import type { FastifyReply } from 'fastify'
import { lastDays, wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { type Outcomes, sumOf } from '../../core/outcomes.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import { readUsage } from '../../ops/usage.ts'
import { readStoreQueue } from '../../sql/deliveries.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { databaseTime } from '../../sql/locks.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { limitView, outcomesView } from '../kit/views.ts'

const HOUR_MS = 3_600_000
const MAX_DELIVERIES = 1_000
/** Time limit for summing up days. The client repeats the request for the rest. */
const MAX_SUMMING_MS = 1_000
const DEFAULT_DAYS = 30

export function overviewRoutes(route: DeclareRoute<PersonInMode>): void {
  route('GET /store/:mode/overview', {
    operationId: 'getOverview',
    summary: 'Get the overview',
    description: 'Returns the figures of today and yesterday, the balance and failing webhooks.',
    scope: 'read',
    roles: PAGE_ROLES.overview,
    params: ModeParams,
    data: Overview,
    handler: getOverview,
  })

  route('GET /store/:mode/overview/series', {
    operationId: 'getSeries',
    summary: 'Get figures over time',
    description: 'Returns sales, refunds and the success rate by day, or by hour for one day.',
    scope: 'read',
    roles: PAGE_ROLES.overview,
    params: ModeParams,
    query: SeriesQuery,
    data: Series,
    handler: getSeries,
  })

  route('GET /store/:mode/today', {
    operationId: 'getToday',
    summary: "Get today's sales",
    description: "Returns the sales and refunds of today in the store's time zone.",
    scope: 'read',
    params: ModeParams,
    data: Today,
    handler: async ({ service, caller, reply }) => {
      const { store, storeId, mode } = caller
      const { timeZone, currency } = store
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
    },
  })
}

async function getOverview({ service, caller, reply }: Call<PersonInMode, { data: Overview }>) {
  const { database, outbox, outcomes } = service
  const { store, storeId, mode } = caller
  const { timeZone, currency } = store
  const own = { storeId, mode }
  const at = await databaseTime(database)
  const [today, yesterday] = lastDays(at, timeZone, 2)
  const sinceMidnightMs = at.getTime() - today!.from.getTime()
  const sameTimeMs = yesterday!.from.getTime() + sinceMidnightMs
  // Yesterday may be shorter than today because of daylight saving time.
  const sameTime = new Date(Math.min(sameTimeMs, yesterday!.to.getTime()))
  const [now, before, balances, used, queue] = await Promise.all([
    outcomes.hours({ ...own, ...today! }, at),
    outcomes.until({ ...own, ...yesterday! }, sameTime, at),
    findStoreBalances(database, [own]),
    readUsage(database, outbox, store, mode),
    readStoreQueue(database, { ...own, maxScanned: MAX_DELIVERIES }),
  ])
  return succeed(reply, 'Overview', {
    day: today!.day,
    time_zone: timeZone,
    currency,
    today: outcomesView(sumOf(now), store),
    yesterday: outcomesView(before, store),
    balance: formatMinor(balances[0]!.balance, currency),
    limits: { daily: limitView(store, 'day', used), monthly: limitView(store, 'month', used) },
    webhooks: { failing: queue.failing, exhausted: queue.exhausted, last_error: queue.lastError },
  })
}

type SeriesCall = Call<PersonInMode, { query: SeriesQuery; data: Series }>

async function getSeries({ service, caller, query, reply }: SeriesCall): Promise<FastifyReply> {
  const { days: count = DEFAULT_DAYS } = query
  const { store, storeId, mode } = caller
  const { timeZone, currency } = store
  const at = await databaseTime(service.database)
  const days = lastDays(at, timeZone, count).map((day) => ({ ...day, storeId, mode }))
  const points: { from: Date; outcomes: Outcomes }[] = []
  if (count === 1) {
    const { from } = days[0]!
    const hours = await service.outcomes.hours(days[0]!, at)
    hours.forEach((outcomes, n) => {
      points.push({ from: new Date(from.getTime() + n * HOUR_MS), outcomes })
    })
  } else {
    const untilMs = performance.now() + MAX_SUMMING_MS
    for (const day of days) {
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
