import Type from 'typebox'
import { described } from './common.ts'
import { currencyShown, money, nullable, shown, whole, wireTime } from './fields.ts'

const Sum = Type.Object({ count: whole('How many.'), amount: described(money(), 'Gross.') })

export const OutcomesView = Type.Object({
  sales: described(Sum, 'Completed within the time, also where refunded since.'),
  refunds: described(Sum, 'Refunded within the time, whenever they were paid.'),
  failed: whole('Payments that failed.'),
  expired: whole('Payments that nobody paid in time.'),
  success_rate: described(
    nullable(Type.Number({ minimum: 0, maximum: 1 })),
    'Sales among all that were paid, failed or expired; null where there was none.',
  ),
})

const Limit = Type.Object({
  used: money('What is used of it.'),
  limit: nullable(money('Gross; null for none.')),
  left: nullable(money('What is left of it; null for no limit.')),
})

export const OverviewData = Type.Object({
  day: described(Type.String(), "The store's own day."),
  time_zone: shown('IANA name of the zone of the store.'),
  currency: currencyShown(),
  today: described(OutcomesView, 'Until now.'),
  yesterday: described(OutcomesView, 'Until the same time of the day before.'),
  balance: money('What the store has now.'),
  limits: Type.Object(
    { daily: described(Limit, 'Of today.'), monthly: described(Limit, 'Of this month.') },
    { description: 'The volume that the operator allows.' },
  ),
  webhooks: Type.Object(
    {
      failing: described(Type.Integer(), 'Tried in vain, and tried again by themselves.'),
      exhausted: described(Type.Integer(), 'No longer tried; they can be sent again.'),
      last_error: nullable(shown('What went wrong last.')),
    },
    { description: 'Those that do not arrive.' },
  ),
})

export const SeriesQuery = Type.Object({
  days: Type.Optional(
    Type.String({
      description: '1 for today by the hour, or 2 to 90 by the day; 30 where absent.',
    }),
  ),
})

export const SeriesData = Type.Object({
  currency: currencyShown(),
  time_zone: shown('IANA name of the zone of the store.'),
  step: Type.Enum(['hour', 'day'], { description: 'How long a point is.' }),
  points: described(
    Type.Array(Type.Object({ from: wireTime('When it begins, UTC.'), ...OutcomesView.properties })),
    'Oldest first.',
  ),
  total: described(OutcomesView, 'Of all points.'),
  is_complete: described(
    Type.Boolean(),
    'False where older days are still being summed: ask again for them.',
  ),
})

export const LedgerData = Type.Object({
  lines: Type.Array(
    Type.Object({
      at: wireTime('When, UTC.'),
      kind: Type.Enum(['payment', 'fee', 'donation', 'refund', 'refund_fee'], {
        description: 'What moved the money.',
      }),
      from: described(Type.String(), 'payer, store, fees or gifts.'),
      to: described(Type.String(), 'The same.'),
      amount: money('How much.'),
      currency: currencyShown(),
      note: nullable(shown('What was written about it.')),
    }),
    { description: 'In order of time.' },
  ),
})
