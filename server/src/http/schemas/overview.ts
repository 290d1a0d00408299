import Type from 'typebox'
import { described } from './common.ts'
import { money, nullable, wireTime } from './fields.ts'

const Sum = Type.Object({ count: Type.Integer(), amount: described(money(), 'Gross.') })

export const OutcomesView = Type.Object({
  sales: described(Sum, 'Completed within the time, also where refunded since.'),
  refunds: described(Sum, 'Refunded within the time, whenever they were paid.'),
  failed: Type.Integer(),
  expired: Type.Integer(),
  success_rate: described(
    nullable(Type.Number({ minimum: 0, maximum: 1 })),
    'Sales among all that were paid, failed or expired; null where there was none.',
  ),
})

const Limit = Type.Object({
  used: money(),
  limit: nullable(money()),
  left: nullable(money()),
})

export const OverviewData = Type.Object({
  day: described(Type.String(), "The store's own day."),
  time_zone: Type.String(),
  currency: Type.String(),
  today: OutcomesView,
  yesterday: described(OutcomesView, 'Until the same time of the day before.'),
  balance: money(),
  limits: Type.Object({ daily: Limit, monthly: Limit }),
  webhooks: Type.Object({
    failing: described(Type.Integer(), 'Tried in vain, and tried again by themselves.'),
    exhausted: described(Type.Integer(), 'No longer tried; they can be sent again.'),
    last_error: nullable(Type.String()),
  }),
})

export const SeriesQuery = Type.Object({
  days: Type.Optional(
    Type.String({
      description: '1 for today by the hour, or 2 to 90 by the day; 30 where absent.',
    }),
  ),
})

export const SeriesData = Type.Object({
  currency: Type.String(),
  time_zone: Type.String(),
  step: Type.Enum(['hour', 'day']),
  points: described(
    Type.Array(Type.Object({ from: wireTime(), ...OutcomesView.properties })),
    'Oldest first.',
  ),
  total: OutcomesView,
  is_complete: described(
    Type.Boolean(),
    'False where older days are still being summed: ask again for them.',
  ),
})

export const LedgerData = Type.Object({
  lines: Type.Array(
    Type.Object({
      at: wireTime(),
      kind: Type.Enum(['payment', 'fee', 'donation', 'refund', 'refund_fee']),
      from: described(Type.String(), 'payer, store, fees or gifts.'),
      to: Type.String(),
      amount: money(),
      currency: Type.String(),
      note: nullable(Type.String()),
    }),
  ),
})
