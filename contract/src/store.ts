import Type, { type Static } from 'typebox'
import { DaysQuery } from './books.ts'
import {
  boolean,
  currencyCode,
  decimal,
  described,
  mode,
  money,
  note,
  nullable,
  optional,
  string,
  timeZone,
  wireTime,
} from './fields.ts'
import { mailSettings, storeSettings } from './merchant.ts'
import { ownSettings, storeName } from './operator.ts'
import { PaymentSum } from './overview.ts'
import {
  CreatePaymentBody,
  PaymentDetails,
  PaymentList,
  PaymentListQuery,
  paymentId,
} from './payments.ts'
import { ROLES, STATUSES } from './values.ts'

const {
  amount,
  currency,
  products,
  reference_id,
  reference_note,
  expires_in,
  locale: paymentLocale,
} = CreatePaymentBody.properties
export const ChargeBody = Type.Object(
  {
    amount,
    currency: optional(described(currency, "ISO 4217 code. By default the store's currency.")),
    products,
    reference_id,
    reference_note,
    expires_in,
    locale: paymentLocale,
  },
  { title: 'ChargeBody' },
)
export type ChargeBody = Static<typeof ChargeBody>
export const ChargedPayment = Type.Object(
  {
    ...PaymentDetails.properties,
    instructions: string('Instructions for the payer, a fragment of safe HTML.'),
  },
  { title: 'ChargedPayment' },
)
export type ChargedPayment = Static<typeof ChargedPayment>

export const ModeParams = Type.Object({ mode: mode() })
export type ModeParams = Static<typeof ModeParams>
export const StorePaymentParams = Type.Object({ mode: mode(), paymentId: paymentId() })
export type StorePaymentParams = Static<typeof StorePaymentParams>

export const StorePayment = Type.Object(
  {
    ...PaymentDetails.properties,
    cancelled: boolean(
      'True if the store cancelled the payment before it expired. Its status is `expired`.',
    ),
    paid_at: nullable(wireTime('Time of the payment, UTC. Null if it is not paid.')),
  },
  {
    title: 'StorePayment',
    description:
      'All details of a payment, for the people of the store. `webhook` is also null if the role cannot see it.',
  },
)
export type StorePayment = Static<typeof StorePayment>

export const StorePaymentListQuery = Type.Object({
  ...PaymentListQuery.properties,
  status: Type.Optional(
    Type.Enum([...STATUSES, 'cancelled'] as const, {
      description:
        'Only payments with this status. An overdue payment is expired. `cancelled` payments are those that the store cancelled; `expired` are the others.',
    }),
  ),
  amount_from: Type.Optional(described(decimal(), 'Minimum gross, inclusive.')),
  amount_to: Type.Optional(described(decimal(), 'Maximum gross, inclusive.')),
  payer: Type.Optional(
    described(
      note(255),
      "The beginnings of words in the name, email address or phone number of the payer or the client, or in the payer's wallet id. If the store has no such payment: any part of them.",
    ),
  ),
  search: Type.Optional(
    described(
      note(255),
      'A payment id or the digits of a payment code find only that payment. Other text finds the payments with this `reference_id`. If there are none: those whose reference, note and client, or whose payer, have words that begin with each word of the text, ignoring case and accents. If there are none: those with this amount.',
    ),
  ),
})
export type StorePaymentListQuery = Static<typeof StorePaymentListQuery>
const filters = StorePaymentListQuery.properties
export const PaymentExportQuery = Type.Object({
  ...DaysQuery.properties,
  status: filters.status,
  reference_id: filters.reference_id,
  link_id: filters.link_id,
  amount_from: filters.amount_from,
  amount_to: filters.amount_to,
  payer: filters.payer,
  search: filters.search,
})
export type PaymentExportQuery = Static<typeof PaymentExportQuery>
export const StorePaymentList = Type.Object(
  {
    ...PaymentList.properties,
    payments: Type.Array(StorePayment, { description: 'Payments, newest first.' }),
    looked_until: nullable(
      wireTime('Time back to which this page has searched, UTC. Null if it reached the end.'),
    ),
  },
  { title: 'StorePaymentList' },
)
export type StorePaymentList = Static<typeof StorePaymentList>

export const RefundPreview = Type.Object(
  {
    payment_id: paymentId(),
    status: Type.Enum(STATUSES, { description: 'The status of the payment.' }),
    currency: currencyCode(),
    gross: money('The amount that the payer paid.'),
    refund_fee: money('The refund fee. The payer receives gross less this fee.'),
    refund_amount: money('The amount that the payer receives.'),
    store_balance: nullable(
      money('The current balance of the store. Null if the role cannot see it.'),
    ),
    refund_fee_waived: nullable(
      money(
        'The part of the fee that the balance does not cover. The store is never charged for it. Null if the payment cannot be refunded.',
      ),
    ),
    store_debit: nullable(
      money(
        'The amount that the store is debited: the refund amount and the fee that is not waived. Null if the payment cannot be refunded.',
      ),
    ),
    store_balance_after: nullable(
      money(
        'The balance after the refund. Null if the payment cannot be refunded, or if the role cannot see it.',
      ),
    ),
    can_refund: boolean('True if this person can refund the payment now.'),
    reason: described(
      nullable(
        Type.Enum([
          'role_not_allowed',
          'above_refund_cap',
          'already_refunded',
          'not_completed',
          'insufficient_store_balance',
        ]),
      ),
      'Why this person cannot refund it. Null if they can.',
    ),
  },
  { title: 'RefundPreview', description: 'The amounts of a refund, and whether it is possible.' },
)
export type RefundPreview = Static<typeof RefundPreview>

export const Today = Type.Object(
  {
    day: string("Today, in the store's time zone."),
    time_zone: timeZone(),
    currency: currencyCode(),
    sales: described(
      PaymentSum,
      'Payments completed today, including those refunded later, and their gross.',
    ),
    refunds: described(
      PaymentSum,
      'Payments refunded today, and the amounts that the payers received.',
    ),
  },
  { title: 'Today', description: 'The sales and refunds of today.' },
)
export type Today = Static<typeof Today>

const secondFactorRoles = () =>
  Type.Array(Type.Enum(ROLES), {
    maxItems: ROLES.length,
    uniqueItems: true,
    description: 'Roles that need a second factor. People have 7 days to set one up.',
  })

export const StoreSettingsBody = Type.Object(
  {
    name: Type.Optional(storeName()),
    ...ownSettings,
    second_factor_roles: Type.Optional(secondFactorRoles()),
  },
  { title: 'StoreSettingsBody' },
)
export type StoreSettingsBody = Static<typeof StoreSettingsBody>

export const StoreSettings = Type.Object(
  {
    ...storeSettings,
    second_factor_roles: secondFactorRoles(),
    ...mailSettings,
    own_logo: Type.Boolean({
      description: 'True if the store has its own logo. False if it has the default logo.',
    }),
  },
  { title: 'StoreSettings', description: 'The settings of the store.' },
)
export type StoreSettings = Static<typeof StoreSettings>

export const StoreSetup = Type.Object(
  {
    logo: boolean('True if the store has its own logo.'),
    key: boolean('True if the store has an API key that is not revoked.'),
    test_payment: boolean('True if there is a payment in the sandbox.'),
    webhook: boolean(
      'True if one of the latest 100 live or 100 sandbox events has a `webhook_url`.',
    ),
    person: boolean('True if the store has more than one person.'),
  },
  { title: 'StoreSetup', description: 'The steps of setting up a new store, and which are done.' },
)
export type StoreSetup = Static<typeof StoreSetup>
