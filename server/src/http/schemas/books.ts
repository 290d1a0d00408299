import Type from 'typebox'
import { LINE_KINDS } from '../../core/books.ts'
import { described } from './common.ts'
import { money, nullable, wireTime } from './fields.ts'

const day = (what: string) =>
  Type.String({
    description: `${what}, a day of the store's own calendar.`,
    examples: ['2026-03-29'],
  })

export const DaysQuery = Type.Object({
  from: Type.Optional(day('First')),
  to: Type.Optional(day('Last')),
})

export const StatementQuery = Type.Object({
  ...DaysQuery.properties,
  limit: Type.Optional(Type.String({ description: '1 to 100; 20 where absent.' })),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
})

export const StatementData = Type.Object({
  currency: Type.String(),
  time_zone: Type.String(),
  balance: described(money(), 'What stands on the balance now.'),
  lines: Type.Array(
    Type.Object({
      at: wireTime(),
      local_at: described(Type.String(), 'The same moment in the zone of the store.'),
      kind: Type.Enum([...LINE_KINDS]),
      reference: described(Type.String(), 'The payment, or what the operator did.'),
      amount: described(money(), 'Negative where money left the balance.'),
      balance: described(money(), 'After this line.'),
      note: nullable(Type.String()),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const ClosesQuery = Type.Object({
  to: Type.Optional(day('Last; today where absent')),
  limit: Type.Optional(Type.String({ description: 'How many days, 1 to 31; 14 where absent.' })),
})

const Sum = Type.Object({ count: Type.Integer(), amount: money() })
export const ClosesData = Type.Object({
  currency: Type.String(),
  time_zone: Type.String(),
  closes: Type.Array(
    Type.Object({
      day: Type.String(),
      starts_at: wireTime(),
      ends_at: described(wireTime(), 'When the next day begins.'),
      is_over: described(Type.Boolean(), 'What is not over can still change.'),
      opening: money(),
      sales: described(Sum, 'Gross.'),
      fees: Sum,
      refunds: described(Sum, 'What payers got back.'),
      refund_fees: Sum,
      funding: Sum,
      payouts: Sum,
      closing: described(
        money(),
        'Opening + sales - fees - refunds - refund fees + funding - payouts.',
      ),
    }),
  ),
  next_to: described(nullable(Type.String()), 'The day before the first; null where none was.'),
})
