import Type, { type Static } from 'typebox'
import {
  currencyCode,
  cursorQuery,
  described,
  integer,
  integerQuery,
  limitQuery,
  money,
  nextCursor,
  nullable,
  string,
  wireTime,
} from './fields.ts'
import { LINE_KINDS } from './values.ts'

const day = (what: string) =>
  Type.String({
    description: `${what}, a day of the store's own calendar.`,
    examples: ['2026-03-29'],
  })

export const DaysQuery = Type.Object({
  from: Type.Optional(day('First')),
  to: Type.Optional(day('Last')),
})
export type DaysQuery = Static<typeof DaysQuery>

export const StatementQuery = Type.Object({
  ...DaysQuery.properties,
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type StatementQuery = Static<typeof StatementQuery>

export const Statement = Type.Object(
  {
    currency: currencyCode(),
    time_zone: string('IANA name of the zone of the store.'),
    balance: described(money(), 'What stands on the balance now.'),
    lines: Type.Array(
      Type.Object({
        at: wireTime('When, UTC.'),
        local_at: described(Type.String(), 'The same moment in the zone of the store.'),
        kind: Type.Enum(LINE_KINDS, { description: 'What moved the money.' }),
        reference: described(Type.String(), 'The payment, or what the operator did.'),
        amount: described(money(), 'Negative where money left the balance.'),
        balance: described(money(), 'After this line.'),
        note: nullable(string('What the operator wrote about it.')),
      }),
      { description: 'Newest first.' },
    ),
    next_cursor: nextCursor(),
  },
  { title: 'Statement' },
)
export type Statement = Static<typeof Statement>

export const DayClosesQuery = Type.Object({
  to: Type.Optional(day('Last; today where absent')),
  limit: integerQuery({
    minimum: 1,
    maximum: 31,
    default: 14,
    description: 'Maximum number of days.',
  }),
})
export type DayClosesQuery = Static<typeof DayClosesQuery>

const Sum = Type.Object({ count: integer('How many.'), amount: money('What they come to.') })
export const DayCloses = Type.Object(
  {
    currency: currencyCode(),
    time_zone: string('IANA name of the zone of the store.'),
    closes: Type.Array(
      Type.Object({
        day: day('Which one'),
        starts_at: wireTime('When it begins, UTC.'),
        ends_at: wireTime('When the next day begins, UTC.'),
        is_over: described(Type.Boolean(), 'What is not over can still change.'),
        opening: money('The balance when it began.'),
        sales: described(Sum, 'Gross.'),
        fees: described(Sum, 'What the service took of the sales.'),
        refunds: described(Sum, 'What payers got back.'),
        refund_fees: described(Sum, 'What the service kept of refunds.'),
        funding: described(Sum, 'What the operator added.'),
        payouts: described(Sum, 'What the operator paid out.'),
        closing: described(
          money(),
          'Opening + sales - fees - refunds - refund fees + funding - payouts.',
        ),
      }),
      { description: 'In order of time.' },
    ),
    next_to: described(nullable(Type.String()), 'The day before the first; null where none was.'),
  },
  { title: 'DayCloses' },
)
export type DayCloses = Static<typeof DayCloses>
