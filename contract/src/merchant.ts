import Type, { type Static } from 'typebox'
import {
  boolean,
  currencyCode,
  described,
  integer,
  locale,
  mode,
  money,
  nullable,
  string,
} from './fields.ts'
import { RequestAmount, StoreProfile } from './payments.ts'

export const QuoteQuery = Type.Object({
  amount: Type.String({ description: 'A decimal number.', examples: ['12.50'] }),
  currency: Type.String({ description: 'ISO 4217 code in upper case.', examples: ['USD'] }),
})
export type QuoteQuery = Static<typeof QuoteQuery>

const volume = (description: string) =>
  Type.Object(
    {
      limit: nullable(money('The limit. Null if there is none.')),
      left: nullable(money('The rest of the limit. Null if there is no limit.')),
    },
    { description },
  )

export const Quote = Type.Object(
  {
    request_amount: RequestAmount,
    gross: money('The amount that the payer pays.'),
    transaction_fee: money('The fee that the service keeps.'),
    amount: money('The amount that the store receives.'),
    currency: currencyCode("The store's currency."),
    limits: Type.Object(
      {
        min_amount: nullable(money('Minimum gross of a payment. Null if there is none.')),
        max_amount: nullable(money('Maximum gross of a payment. Null if there is none.')),
        daily: volume("Limit per day, in the store's time zone."),
        monthly: volume("Limit per month, in the store's time zone."),
      },
      { description: "The store's limits." },
    ),
    within_limits: boolean('True if the limits allow this payment now.'),
  },
  { title: 'Quote', description: 'The terms of a payment of this amount.' },
)
export type Quote = Static<typeof Quote>

export const Balance = Type.Object(
  {
    balance: money('The balance of the store.'),
    currency: currencyCode("The store's currency."),
    pending_amount: money('Gross of all pending payments.'),
  },
  { title: 'Balance', description: 'The balance of the store.' },
)
export type Balance = Static<typeof Balance>

/** Settings that both the store and the operator see. */
export const storeSettings = {
  id: integer("The store's number."),
  ...StoreProfile.properties,
  currency: currencyCode("The store's currency."),
  time_zone: string('IANA name. Daily and monthly limits use this time zone.'),
  fee_bps: integer('Transaction fee in basis points of gross; 100 is 1%.'),
  fee_fixed: money('Fixed part of the transaction fee.'),
  refund_fee: money('Fee that is deducted from a refund.'),
  min_amount: nullable(money('Minimum gross of a payment. Null if there is none.')),
  max_amount: nullable(money('Maximum gross of a payment. Null if there is none.')),
  daily_limit: nullable(money('Maximum gross per day. Null if there is none.')),
  monthly_limit: nullable(money('Maximum gross per month. Null if there is none.')),
  expires_after_seconds: integer('Seconds until a payment expires, unless `expires_in` is set.'),
  unique_references: boolean(
    'True if a payment cannot reuse the `reference_id` of a pending, paid or refunded one.',
  ),
  refund_cap_manager: nullable(
    money('Maximum gross that a manager can refund. Null if there is no maximum.'),
  ),
  refund_cap_cashier: nullable(
    money(
      'Maximum gross that a cashier can refund. 0 if cashiers cannot refund. Null if there is no maximum.',
    ),
  ),
  embed_origins: Type.Array(Type.String(), {
    description: 'Sites that can show the checkout page in a frame.',
  }),
}

export const STORE_LOCALE_DESCRIPTION =
  'The language of emails to clients, of emails to people without a language of their own, and of printed stands. Null for English.'

/** Settings for emails. Calls with an API key don't return them. */
export const mailSettings = {
  locale: nullable(described(locale(), STORE_LOCALE_DESCRIPTION)),
  mail_receipts: boolean('True if clients get receipts by email.'),
  mail_daily_close: boolean('True if the owners get the daily close by email.'),
}

export const Store = Type.Object(
  {
    ...storeSettings,
    mode: described(mode(), 'The mode of the API key.'),
    scopes: Type.Array(Type.String(), { description: 'The scopes of the API key.' }),
  },
  { title: 'Store', description: 'The store and its settings.' },
)
export type Store = Static<typeof Store>
