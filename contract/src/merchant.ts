import Type, { type Static } from 'typebox'
import {
  boolean,
  currencyCode,
  described,
  integer,
  mode,
  money,
  nullable,
  string,
} from './fields.ts'

import { RequestAmount, StoreProfile } from './payments.ts'

export const QuoteQuery = Type.Object({
  amount: Type.Optional(
    Type.String({ description: 'Required. A decimal number.', examples: ['12.50'] }),
  ),
  currency: Type.Optional(
    Type.String({ description: 'Required. ISO 4217 in upper case.', examples: ['USD'] }),
  ),
})
export type QuoteQuery = Static<typeof QuoteQuery>

const volume = (description: string) =>
  Type.Object(
    {
      limit: nullable(money('The limit; null for none.')),
      left: nullable(money('What is left of it; null for no limit.')),
    },
    { description },
  )

export const Quote = Type.Object(
  {
    request_amount: RequestAmount,
    gross: described(money(), 'What the payer pays.'),
    transaction_fee: money('What the service would keep.'),
    amount: described(money(), 'What the store receives.'),
    currency: currencyCode("The store's currency."),
    limits: Type.Object(
      {
        min_amount: nullable(money('Least gross of a payment; null for none.')),
        max_amount: nullable(money('Largest gross of a payment; null for none.')),
        daily: volume("On the store's own day."),
        monthly: volume("In the store's own month."),
      },
      { description: "The store's limits." },
    ),
    within_limits: boolean('Whether creating it would be let through now.'),
  },
  { title: 'Quote' },
)
export type Quote = Static<typeof Quote>

export const Balance = Type.Object(
  {
    balance: money('What the store has.'),
    currency: currencyCode("The store's currency."),
    pending_amount: described(money(), 'Gross of payments that are still pending.'),
  },
  { title: 'Balance' },
)
export type Balance = Static<typeof Balance>

/** What the operator has set for a store, as the store and the operator both see it. */
export const storeSettings = {
  id: integer("The store's number."),
  ...StoreProfile.properties,
  currency: currencyCode("The store's currency."),
  time_zone: string('IANA name; its days and months are those of the limits.'),
  fee_bps: integer('Transaction fee in basis points of gross; 100 is 1 %.'),
  fee_fixed: money('Fixed part of the transaction fee.'),
  refund_fee: money('What a refund costs the payer.'),
  min_amount: nullable(money('Least gross of a payment; null for none.')),
  max_amount: nullable(money('Largest gross of a payment; null for none.')),
  daily_limit: nullable(money('Gross a day; null for none.')),
  monthly_limit: nullable(money('Gross a month; null for none.')),
  expires_after_seconds: integer('How long a payment can be paid, unless told at creation.'),
  unique_references: boolean('Whether a `reference_id` that is pending or paid is refused.'),
  refund_cap_manager: described(nullable(money()), 'Largest gross that a manager may refund.'),
  refund_cap_cashier: described(nullable(money()), 'The same for a cashier; 0 is none at all.'),
  embed_origins: described(
    Type.Array(Type.String()),
    'Sites that may show the checkout page in a frame.',
  ),
}

export const Store = Type.Object(
  {
    ...storeSettings,
    mode: described(mode(), 'Of the credentials.'),
    scopes: Type.Array(Type.String(), { description: 'What the credentials may do.' }),
  },
  { title: 'Store' },
)
export type Store = Static<typeof Store>
