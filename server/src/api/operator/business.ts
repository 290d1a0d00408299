import { BusinessOverview, BusinessQuery } from '@florin/contract/business.js'
import type { FastifyReply } from 'fastify'
import { isTimeZone, wireTime } from '../../core/calendar.ts'
import type { CurrencyCode } from '../../core/currencies.ts'
import { formatMinor } from '../../core/money.ts'
import type { PaymentTotals } from '../../core/paymentTotals.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { refuseField, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

const DEFAULT_DAYS = 7

export function businessRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/overview', {
    operationId: 'getBusinessOverview',
    summary: 'Get the figures of all stores',
    description:
      'Returns volume, fees and outcomes by currency and day, and the number of active stores and wallets.',
    permission: 'read',
    query: BusinessQuery,
    data: BusinessOverview,
    handler: getOverview,
  })
}

type OverviewCall = Call<OperatorCaller, { query: BusinessQuery; data: BusinessOverview }>

async function getOverview({ service, query, reply }: OverviewCall): Promise<FastifyReply> {
  const { mode = 'live', days: count = DEFAULT_DAYS, time_zone: timeZone = 'UTC' } = query
  if (!isTimeZone(timeZone)) {
    return refuseField(reply, 'time_zone', 'must be a name such as Europe/Paris')
  }
  const business = await service.readBusiness({ mode, timeZone, days: count })
  const { days, countedUntil, stores, wallets, currencies } = business
  return succeed(reply, 'Overview', {
    mode,
    time_zone: timeZone,
    from: wireTime(days[0]!.from),
    counted_until: wireTime(countedUntil),
    stores,
    wallets,
    currencies: currencies.map(({ currency, total, before, days: byDay }) => ({
      currency,
      total: totalsView(total, currency),
      before: totalsView(before, currency),
      days: byDay.map((totals, index) => ({
        day: days[index]!.day,
        ...totalsView(totals, currency),
      })),
    })),
  })
}

const totalsView = (totals: PaymentTotals, currency: CurrencyCode) => ({
  volume: formatMinor(totals.gross, currency),
  fees: formatMinor(totals.fees, currency),
  completed: totals.completed,
  refunded: totals.refunded,
  refunded_amount: formatMinor(totals.refundedGross, currency),
  failed: totals.failed,
  expired: totals.expired,
  cancelled: totals.cancelled,
})
