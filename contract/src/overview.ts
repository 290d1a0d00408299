import Type, { type Static } from 'typebox'
import {
  currencyCode,
  described,
  integer,
  integerQuery,
  money,
  nullable,
  string,
  wireTime,
} from './fields.ts'

const Sum = Type.Object({ count: integer('How many.'), amount: described(money(), 'Gross.') })

export const Outcomes = Type.Object(
  {
    sales: described(Sum, 'Completed within the time, also where refunded since.'),
    refunds: described(Sum, 'Refunded within the time, whenever they were paid.'),
    failed: integer('Payments that failed.'),
    expired: integer('Payments that nobody paid in time.'),
    success_rate: described(
      nullable(Type.Number({ minimum: 0, maximum: 1 })),
      'Sales among all that were paid, failed or expired; null where there was none.',
    ),
  },
  { title: 'Outcomes' },
)
export type Outcomes = Static<typeof Outcomes>

const Limit = Type.Object({
  used: money('What is used of it.'),
  limit: nullable(money('Gross; null for none.')),
  left: nullable(money('What is left of it; null for no limit.')),
})

export const Overview = Type.Object(
  {
    day: described(Type.String(), "The store's own day."),
    time_zone: string('IANA name of the zone of the store.'),
    currency: currencyCode(),
    today: described(Outcomes, 'Until now.'),
    yesterday: described(Outcomes, 'Until the same time of the day before.'),
    balance: money('What the store has now.'),
    limits: Type.Object(
      { daily: described(Limit, 'Of today.'), monthly: described(Limit, 'Of this month.') },
      { description: 'The volume that the operator allows.' },
    ),
    webhooks: Type.Object(
      {
        failing: described(Type.Integer(), 'Tried in vain, and tried again by themselves.'),
        exhausted: described(Type.Integer(), 'No longer tried; they can be sent again.'),
        last_error: nullable(string('What went wrong last.')),
      },
      { description: 'Those that do not arrive.' },
    ),
  },
  { title: 'Overview' },
)
export type Overview = Static<typeof Overview>

export const SeriesQuery = Type.Object({
  days: integerQuery({
    minimum: 1,
    maximum: 90,
    default: 30,
    description: 'Number of days until today. 1 returns the hours of today.',
  }),
})
export type SeriesQuery = Static<typeof SeriesQuery>

export const Series = Type.Object(
  {
    currency: currencyCode(),
    time_zone: string('IANA name of the zone of the store.'),
    step: Type.Enum(['hour', 'day'], { description: 'How long a point is.' }),
    points: described(
      Type.Array(Type.Object({ from: wireTime('When it begins, UTC.'), ...Outcomes.properties })),
      'Oldest first.',
    ),
    total: described(Outcomes, 'Of all points.'),
    is_complete: described(
      Type.Boolean(),
      'False where older days are still being summed: ask again for them.',
    ),
  },
  { title: 'Series' },
)
export type Series = Static<typeof Series>

export const PaymentLedger = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        at: wireTime('When, UTC.'),
        kind: Type.Enum(['payment', 'fee', 'donation', 'refund', 'refund_fee'], {
          description: 'What moved the money.',
        }),
        from: described(Type.String(), 'payer, store, fees or gifts.'),
        to: described(Type.String(), 'The same.'),
        amount: money('How much.'),
        currency: currencyCode(),
        note: nullable(string('What was written about it.')),
      }),
      { description: 'In order of time.' },
    ),
  },
  { title: 'PaymentLedger' },
)
export type PaymentLedger = Static<typeof PaymentLedger>
