import Type, { type Static } from 'typebox'
import {
  currencyCode,
  described,
  integer,
  integerQuery,
  mode,
  money,
  string,
  wireTime,
} from './fields.ts'
import { StorePayment, StorePaymentListQuery } from './store.ts'

export const BusinessQuery = Type.Object({
  mode: Type.Optional(mode()),
  days: integerQuery({
    minimum: 1,
    maximum: 90,
    default: 7,
    description: 'Number of days, including today.',
  }),
  time_zone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'IANA name of the time zone in which days start. UTC by default.',
    }),
  ),
})
export type BusinessQuery = Static<typeof BusinessQuery>

const PaymentTotals = Type.Object(
  {
    volume: money('Gross of the completed payments, including those refunded later.'),
    fees: money('Fees that the service earned on payments and refunds.'),
    completed: integer('Number of completed payments, including those refunded later.'),
    refunded: integer('Number of refunded payments.'),
    refunded_amount: money('Gross of the refunded payments.'),
    failed: integer('Number of failed payments.'),
    expired: integer('Number of payments that were not paid in time.'),
    cancelled: integer('Number of payments that the store cancelled.'),
  },
  { title: 'PaymentTotals', description: 'How payments ended.' },
)
export type PaymentTotals = Static<typeof PaymentTotals>

const ActiveCount = Type.Object({
  active: integer('How many had a payment in the period.'),
  total: integer('How many there are.'),
})

export const BusinessOverview = Type.Object(
  {
    mode: mode(),
    time_zone: string('IANA name of the time zone in which days start.'),
    from: wireTime('Start of the period, UTC.'),
    counted_until: wireTime('Time up to which payments are counted, UTC.'),
    stores: described(ActiveCount, 'Stores.'),
    wallets: described(ActiveCount, 'Wallets that are not erased.'),
    currencies: Type.Array(
      Type.Object({
        currency: currencyCode(),
        total: described(PaymentTotals, 'The whole period.'),
        before: described(
          PaymentTotals,
          'The same number of days before, until the same time of day.',
        ),
        days: Type.Array(
          Type.Object({
            day: string('The day, such as 2026-11-15.'),
            ...PaymentTotals.properties,
          }),
          { description: 'Days, oldest first.' },
        ),
      }),
      { description: 'One entry per currency with payments in the period or in `before`.' },
    ),
  },
  { title: 'BusinessOverview', description: 'Figures of all stores together.' },
)
export type BusinessOverview = Static<typeof BusinessOverview>
export type CurrencyFigures = BusinessOverview['currencies'][number]

export const OperatorPaymentListQuery = Type.Object({
  mode: Type.Optional(mode()),
  ...StorePaymentListQuery.properties,
})
export type OperatorPaymentListQuery = Static<typeof OperatorPaymentListQuery>

export const OperatorPayment = Type.Object(
  { store_id: integer("The store's number."), ...StorePayment.properties },
  { title: 'OperatorPayment', description: 'A payment, and the store that it belongs to.' },
)
export type OperatorPayment = Static<typeof OperatorPayment>
