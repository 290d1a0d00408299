import Type, { type Static } from 'typebox'
import {
  boolean,
  currencyCode,
  described,
  integer,
  integerQuery,
  money,
  nullable,
  string,
  timeZone,
  wireTime,
} from './fields.ts'

export const PaymentSum = Type.Object({
  count: integer('Number of payments.'),
  amount: money('Their total.'),
})
const Outcomes = Type.Object(
  {
    sales: described(
      PaymentSum,
      'Payments completed in the period, including those refunded later, and their gross.',
    ),
    refunds: described(
      PaymentSum,
      'Payments refunded in the period, and the amounts that the payers received.',
    ),
    failed: integer('Number of failed payments.'),
    expired: integer('Number of payments that expired before they were paid.'),
    cancelled: integer('Number of payments that the store cancelled.'),
    success_rate: described(
      nullable(Type.Number({ minimum: 0, maximum: 1 })),
      'Share that was paid, from 0 to 1, of the payments that were paid, failed or expired. Null if there are none.',
    ),
  },
  { title: 'Outcomes', description: 'How the payments of a period ended.' },
)

const Limit = Type.Object({
  used: money('The used part of the limit.'),
  limit: nullable(money('Maximum gross. Null if there is no limit.')),
  left: nullable(money('The remaining part. Null if there is no limit.')),
})
export type Limit = Static<typeof Limit>

export const Overview = Type.Object(
  {
    day: string("Today, in the store's time zone."),
    time_zone: timeZone(),
    currency: currencyCode(),
    today: described(Outcomes, 'Today until now.'),
    yesterday: described(Outcomes, 'Yesterday until the same time of day.'),
    balance: money('The current balance.'),
    limits: Type.Object(
      { daily: described(Limit, 'Today.'), monthly: described(Limit, 'This month.') },
      { description: 'Limits that the operator sets.' },
    ),
    webhooks: Type.Object(
      {
        failing: integer('Number of events that failed and are retried.'),
        exhausted: integer('Number of events that are no longer retried. You can resend them.'),
        last_error: nullable(string('The error of the newest payment whose webhook failed.')),
      },
      { description: 'The newest failures of this mode, at most 1,000.' },
    ),
  },
  { title: 'Overview', description: "Today's figures of the store." },
)
export type Overview = Static<typeof Overview>

export const MAX_SERIES_DAYS = 92

export const SeriesQuery = Type.Object({
  days: integerQuery({
    minimum: 1,
    maximum: 90,
    default: 30,
    description: 'Number of days until `to`. 1 returns the hours of the day. Ignored with `from`.',
  }),
  from: Type.Optional(
    string(
      `First day, such as 2026-03-29, in the store's time zone. The period can have at most ${MAX_SERIES_DAYS} days.`,
    ),
  ),
  to: Type.Optional(string("Last day, inclusive, in the store's time zone. By default today.")),
})
export type SeriesQuery = Static<typeof SeriesQuery>

const Point = Type.Object({ from: wireTime('Start of the point, UTC.'), ...Outcomes.properties })
const points = () => Type.Array(Point, { description: 'Points, oldest first.' })
export type SeriesPoint = Static<typeof Point>

export const Series = Type.Object(
  {
    currency: currencyCode(),
    time_zone: timeZone(),
    step: Type.Enum(['hour', 'day'], { description: 'The length of a point.' }),
    points: points(),
    total: described(Outcomes, 'All points together.'),
    before: Type.Object(
      { points: points(), total: described(Outcomes, 'All points together.') },
      {
        description:
          'The same number of days before the period. If the period ends now, they end at the same time of day.',
      },
    ),
    hours: Type.Array(
      Type.Object({
        hour: Type.Integer({
          minimum: 0,
          maximum: 23,
          description: "Hour of the day, in the store's time zone.",
        }),
        sales: described(
          PaymentSum,
          'Payments completed in this hour of all days, and their gross.',
        ),
      }),
      { description: 'The sales of the period by hour of the day, all 24.' },
    ),
    methods: Type.Array(
      Type.Object({
        method: Type.Enum(['till', 'link', 'api'], {
          description:
            '`till` if a person of the store created the payments, `link` if payers of links did, `api` if an API key did.',
        }),
        sales: described(PaymentSum, 'Payments completed in the period, and their gross.'),
      }),
      { description: 'The sales of the period by the way in which the payments were created.' },
    ),
    is_complete: boolean('False if older days are missing. Repeat the request to get them.'),
  },
  { title: 'Series', description: 'Outcomes over time.' },
)
export type Series = Static<typeof Series>

const ACCOUNTS = ['payer', 'store', 'fees', 'gifts'] as const

export const PaymentLedger = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        at: wireTime('Time of the transfer, UTC.'),
        kind: Type.Enum(['payment', 'fee', 'donation', 'refund', 'refund_fee'], {
          description: 'The kind of transfer.',
        }),
        from: Type.Enum(ACCOUNTS, { description: 'The debited account.' }),
        to: Type.Enum(ACCOUNTS, { description: 'The credited account.' }),
        amount: money('The amount.'),
        currency: currencyCode(),
        note: nullable(string('A note.')),
      }),
      { description: 'Transfers, oldest first.' },
    ),
  },
  { title: 'PaymentLedger', description: 'The transfers of a payment.' },
)
export type PaymentLedger = Static<typeof PaymentLedger>

const PaymentActor = Type.Object(
  {
    kind: Type.Enum(['api_key', 'person'], {
      description: 'An API key of the store, or a person.',
    }),
    name: string("The key's label, or the person as the audit log names them."),
    api_key: nullable(string('The API key. Null for a person.')),
  },
  { title: 'PaymentActor' },
)

export const PaymentAudit = Type.Object(
  {
    payment_id: string("The payment's id."),
    created_by: nullable(
      described(PaymentActor, 'The actor that created the payment. Null if not recorded.'),
    ),
    refunded_by: nullable(
      described(
        PaymentActor,
        'The actor that refunded the payment. Null if it was not refunded or not recorded.',
      ),
    ),
    cancelled_by: nullable(
      described(
        PaymentActor,
        'The person who cancelled the payment. Null if it was not cancelled, or if an API key cancelled it.',
      ),
    ),
  },
  {
    title: 'PaymentAudit',
    description: 'The actors that created, refunded and cancelled a payment.',
  },
)
export type PaymentAudit = Static<typeof PaymentAudit>
