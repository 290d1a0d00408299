import Type, { type Static } from 'typebox'
import {
  archivedBefore,
  boolean,
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
  timeZone,
  wireTime,
} from './fields.ts'
import { LINE_KINDS } from './values.ts'

const day = (description: string) => Type.String({ description, examples: ['2026-03-29'] })
export const DaysQuery = Type.Object({
  from: Type.Optional(
    day("First day, in the store's time zone. By default the store's first day."),
  ),
  to: Type.Optional(day("Last day, inclusive, in the store's time zone. By default today.")),
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
    time_zone: timeZone(),
    balance: money('The current balance.'),
    lines: Type.Array(
      Type.Object({
        at: wireTime('Time of the transfer, UTC.'),
        local_at: string("Time of the transfer, in the store's time zone."),
        kind: Type.Enum(LINE_KINDS, { description: 'The kind of transfer.' }),
        reference: string('The id of the payment, funding or payout.'),
        amount: money('The amount. Negative if money left the balance.'),
        balance: money('The balance after this line.'),
        note: nullable(string("The operator's note.")),
        payment: nullable(
          Type.Object(
            {
              reference_id: nullable(string('The `reference_id` of the payment.')),
              link_title: nullable(string('The title of the link that was paid.')),
              payer: nullable(string("The payer's name.")),
            },
            { description: 'The payment that this line belongs to. Null for funding and payouts.' },
          ),
        ),
      }),
      { description: 'Lines, newest first.' },
    ),
    next_cursor: nextCursor(),
    archived_before: archivedBefore(),
  },
  { title: 'Statement', description: 'One page of the statement.' },
)
export type Statement = Static<typeof Statement>
export type StatementLine = Statement['lines'][number]

export const DayClosesQuery = Type.Object({
  to: Type.Optional(day("Last day, in the store's time zone. By default today.")),
  limit: integerQuery({
    minimum: 1,
    maximum: 31,
    default: 14,
    description: 'Maximum number of days.',
  }),
})
export type DayClosesQuery = Static<typeof DayClosesQuery>

const Sum = Type.Object({ count: integer('Number of lines.'), amount: money('Their total.') })
export const DayCloses = Type.Object(
  {
    currency: currencyCode(),
    time_zone: timeZone(),
    closes: Type.Array(
      Type.Object({
        day: day("The day, in the store's time zone."),
        starts_at: wireTime('Start of the day, UTC.'),
        ends_at: wireTime('Start of the next day, UTC.'),
        is_over: boolean('False while the figures can still change.'),
        opening: money('The balance at the start of the day.'),
        sales: described(Sum, 'Gross of the payments.'),
        fees: described(Sum, 'Transaction fees.'),
        refunds: described(Sum, 'Amounts that payers received.'),
        refund_fees: described(Sum, 'Refund fees.'),
        funding: described(Sum, 'Money that the operator added.'),
        payouts: described(Sum, 'Money that the operator paid out.'),
        closing: money(
          'The balance at the end of the day: opening + sales - fees - refunds - refund fees + funding - payouts.',
        ),
      }),
      { description: 'Days, newest first.' },
    ),
    next_to: nullable(string('Pass it as `to` to get the days before. Null if there are none.')),
  },
  { title: 'DayCloses', description: 'The totals of each day.' },
)
export type DayCloses = Static<typeof DayCloses>
export type DayClose = DayCloses['closes'][number]
