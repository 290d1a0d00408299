import { MAX_SERIES_DAYS, Overview, Series, SeriesQuery } from '@florin/contract/overview.js'
import { ModeParams, Today } from '@florin/contract/store.js'
import { daysBetween, lastDays, startOfLocalDay, wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { totalOutcomes } from '../../core/outcomes.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import type { Store } from '../../core/store.ts'
import { readSeries, type SeriesPoint, sameTimeOfDay } from '../../ops/series.ts'
import { readUsage } from '../../ops/usage.ts'
import type { Service } from '../../service.ts'
import { readStoreQueue } from '../../sql/deliveryQueue.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { readDatabaseTime } from '../../sql/locks.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { daysOf } from '../kit/days.ts'
import { type FieldProblem, problemOf, schemaProblems } from '../kit/http/validation.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { limitView, methodsView, outcomesView } from '../kit/views.ts'

const MAX_FAILED_DELIVERIES = 1_000
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
    description:
      'Returns sales, refunds and the success rate by day, or by hour for one day, with the previous period, the hours of the day and the methods.',
    scope: 'read',
    roles: PAGE_ROLES.overview,
    params: ModeParams,
    query: SeriesQuery,
    data: Series,
    hasOwnChecks: true,
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
      const { today, hours } = await service.readOfStore(storeId, async () => {
        const at = await readDatabaseTime(service.database)
        const [today] = lastDays(at, timeZone, 1)
        return { today, hours: await service.outcomes.readHours({ storeId, mode, ...today! }, at) }
      })
      const { sales, refunds } = outcomesView(totalOutcomes(hours), store)
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
  const { store, storeId } = caller
  const { timeZone, currency } = store
  const found = await service.readOfStore(storeId, () => readOverview(service, caller))
  const { today, todayHours, yesterdayHours, balances, used, queue } = found
  return succeed(reply, 'Overview', {
    day: today!.day,
    time_zone: timeZone,
    currency,
    today: outcomesView(totalOutcomes(todayHours), store),
    yesterday: outcomesView(totalOutcomes(yesterdayHours), store),
    balance: formatMinor(balances[0]!.balance, currency),
    limits: { daily: limitView(store, 'day', used), monthly: limitView(store, 'month', used) },
    webhooks: { failing: queue.failing, exhausted: queue.exhausted, last_error: queue.lastError },
  })
}

async function readOverview(service: Service, { store, storeId, mode }: PersonInMode) {
  const { database, outbox, outcomes } = service
  const { timeZone } = store
  const storeAndMode = { storeId, mode }
  const at = await readDatabaseTime(database)
  const [today, yesterday] = lastDays(at, timeZone, 2)
  const [day, dayBefore] = [
    { ...storeAndMode, ...today! },
    { ...storeAndMode, ...yesterday! },
  ]
  const [todayHours, yesterdayHours, balances, used, queue] = await Promise.all([
    outcomes.readHours(day, at),
    outcomes.readHoursUntil(dayBefore, sameTimeOfDay(at, day, dayBefore, timeZone), at),
    findStoreBalances(database, [storeAndMode]),
    readUsage(database, outbox, store, mode),
    readStoreQueue(database, { ...storeAndMode, limit: MAX_FAILED_DELIVERIES }),
  ])
  return { today, todayHours, yesterdayHours, balances, used, queue }
}

type SeriesCall = Call<PersonInMode, { query: SeriesQuery; data: Series }>

async function getSeries({ service, caller, query, request, reply }: SeriesCall) {
  const { store, storeId, mode } = caller
  const { timeZone, currency } = store
  const problems = schemaProblems(request)
  const at = await readDatabaseTime(service.database)
  const count = await countDays(service, store, query, problems)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const last = query.to === undefined ? at : startOfLocalDay(query.to, timeZone)!
  const all = lastDays(last, timeZone, 2 * count).map((day) => ({ ...day, storeId, mode }))
  const [days, daysBefore] = [all.slice(0, count), all.slice(count)]
  const read = () => readSeries(service.outcomes, { days, daysBefore, timeZone, at })
  const series = await service.readOfStore(storeId, read, { isSlow: true })
  const total = totalOutcomes(series.points.map((point) => point.outcomes))
  const pointView = ({ from, outcomes }: SeriesPoint) => ({
    from: wireTime(from),
    ...outcomesView(outcomes, store),
  })
  return succeed(reply, 'Series', {
    currency,
    time_zone: timeZone,
    step: count === 1 ? 'hour' : 'day',
    points: series.points.map(pointView),
    total: outcomesView(total, store),
    before: {
      points: series.before.map(pointView),
      total: outcomesView(totalOutcomes(series.before.map((point) => point.outcomes)), store),
    },
    hours: series.hours.map((outcomes, hour) => ({
      hour,
      sales: outcomesView(outcomes, store).sales,
    })),
    methods: methodsView(total, store),
    is_complete: series.isComplete,
  })
}

/** Counts the days that the query names. Adds a problem for each invalid field. */
async function countDays(
  service: Service,
  store: Store,
  query: SeriesQuery,
  problems: FieldProblem[],
): Promise<number> {
  const { days = DEFAULT_DAYS } = query
  const period = await daysOf(service, store, query, problems)
  if (query.from === undefined || problems.length > 0) return days
  const count = daysBetween(period.from, period.to) + 1
  if (count < 1) problems.push(problemOf('to', 'must not be before from'))
  if (count > MAX_SERIES_DAYS) {
    problems.push(problemOf('from', `must be at most ${MAX_SERIES_DAYS - 1} days before to`))
  }
  return count
}
