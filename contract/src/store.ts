import Type, { type Static } from 'typebox'
import {
  boolean,
  currencyCode,
  decimal,
  described,
  email,
  integer,
  mode,
  money,
  note,
  nullable,
  optional,
  password,
  string,
  text,
  wireTime,
} from './fields.ts'
import { storeSettings } from './merchant.ts'
import { ownSettings, storeName } from './operator.ts'
import {
  CreatePaymentBody,
  PaymentDetails,
  PaymentList,
  PaymentListQuery,
  paymentId,
  StoreProfile,
} from './payments.ts'
import { ROLES, SCOPES, STATUSES } from './values.ts'

const role = () => Type.Enum(ROLES, { description: 'What they may do.' })

export const Person = Type.Object(
  {
    person_id: string("The person's id."),
    store_id: integer('The store that they work for.'),
    email: string('With which they sign in.'),
    name: string('What they are called.'),
    role: role(),
    created_at: wireTime('Since when they may sign in, UTC.'),
    disabled_at: nullable(wireTime('Since when they may not any more, UTC.')),
  },
  { title: 'Person' },
)
export type Person = Static<typeof Person>

const shownOnce = described(Type.String(), 'Shown this once.')

export const PersonParams = Type.Object({ personId: string("The person's id.") })
export type PersonParams = Static<typeof PersonParams>
export const PersonBody = Type.Object(
  {
    email: described(email(), 'With which they sign in; nobody else may have it.'),
    name: described(text(255), 'What they are called.'),
    role: role(),
    password: optional(described(password(), 'Made up and shown once where absent.')),
  },
  { title: 'PersonBody' },
)
export type PersonBody = Static<typeof PersonBody>
export const CreatedPerson = Type.Object(
  {
    ...Person.properties,
    password: Type.Optional(shownOnce),
  },
  { title: 'CreatedPerson' },
)
export type CreatedPerson = Static<typeof CreatedPerson>
export const FindPersonQuery = Type.Object({
  email: Type.String({ maxLength: 254, description: 'With which they sign in.' }),
})
export type FindPersonQuery = Static<typeof FindPersonQuery>
export const ChangePersonBody = Type.Object(
  {
    name: Type.Optional(described(text(255), 'What they are called.')),
    role: Type.Optional(role()),
    disabled: Type.Optional(boolean('Whether they are shut out; true ends all their sessions.')),
  },
  { title: 'ChangePersonBody' },
)
export type ChangePersonBody = Static<typeof ChangePersonBody>
export const ResetPerson = Type.Object(
  { ...Person.properties, password: shownOnce },
  { title: 'ResetPerson' },
)
export type ResetPerson = Static<typeof ResetPerson>

export const SignInBody = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'The address that the operator knows.' }),
    password: Type.String({ maxLength: 200, description: 'The password.' }),
  },
  { title: 'SignInBody' },
)
export type SignInBody = Static<typeof SignInBody>

export const ConfirmPasswordBody = Type.Object(
  {
    password: Type.String({ maxLength: 200, description: 'Once more.' }),
  },
  { title: 'ConfirmPasswordBody' },
)
export type ConfirmPasswordBody = Static<typeof ConfirmPasswordBody>

export const SignedInPerson = Type.Object(
  {
    person: Type.Object(
      {
        person_id: string("The person's id."),
        email: string('With which they sign in.'),
        name: string('What they are called.'),
        role: role(),
      },
      { description: 'Who is signed in.' },
    ),
    may: described(
      Type.Array(Type.Enum(SCOPES)),
      'What the role may do, in the words of the scopes of API keys.',
    ),
    refund_cap: described(nullable(money()), 'Largest gross that may be refunded; null for any.'),
    session: Type.Object(
      {
        session_id: string("The session's id; no secret."),
        expires_at: wireTime('When it ends, UTC.'),
      },
      { description: 'The session that asks.' },
    ),
    store: Type.Object(
      {
        id: integer("The store's number."),
        ...StoreProfile.properties,
        currency: currencyCode(),
        time_zone: string('IANA name.'),
        suspended: boolean('Whether the operator has stopped the store.'),
      },
      { description: 'The store that they work for.' },
    ),
  },
  { title: 'SignedInPerson' },
)
export type SignedInPerson = Static<typeof SignedInPerson>

export const SessionParams = Type.Object({ sessionId: string("The session's id.") })
export type SessionParams = Static<typeof SessionParams>
export const PersonSession = Type.Object(
  {
    session_id: string("The session's id; no secret."),
    created_at: wireTime('When it began, UTC.'),
    last_used_at: described(wireTime(), 'To the minute, UTC.'),
    expires_at: wireTime('When it ends, UTC.'),
    user_agent: string('What the browser called itself.'),
    current: described(Type.Boolean(), 'The one that asks.'),
  },
  { title: 'PersonSession' },
)
export type PersonSession = Static<typeof PersonSession>

export const PasswordBody = Type.Object(
  {
    current: Type.String({ maxLength: 200, description: 'The password until now.' }),
    new: described(password(), 'The one from now on.'),
  },
  { title: 'PasswordBody' },
)
export type PasswordBody = Static<typeof PasswordBody>

const { amount, currency, reference_id, reference_note, expires_in, locale } =
  CreatePaymentBody.properties
export const ChargeBody = Type.Object(
  {
    amount,
    currency: optional(described(currency, "The store's own where absent.")),
    reference_id,
    reference_note,
    expires_in,
    locale,
  },
  { title: 'ChargeBody' },
)
export type ChargeBody = Static<typeof ChargeBody>
export const ChargedPayment = Type.Object(
  {
    ...PaymentDetails.properties,
    instructions: described(Type.String(), 'A small fragment of safe HTML.'),
  },
  { title: 'ChargedPayment' },
)
export type ChargedPayment = Static<typeof ChargedPayment>

export const ModeParams = Type.Object({ mode: mode() })
export type ModeParams = Static<typeof ModeParams>
export const StorePaymentParams = Type.Object({ mode: mode(), paymentId: paymentId() })
export type StorePaymentParams = Static<typeof StorePaymentParams>

export const StorePaymentListQuery = Type.Object({
  ...PaymentListQuery.properties,
  amount_from: Type.Optional(described(decimal(), 'Gross, inclusive.')),
  amount_to: Type.Optional(described(decimal(), 'Gross, inclusive.')),
  payer: Type.Optional(
    described(note(255), 'Part of the name, e-mail address, phone number or wallet id.'),
  ),
  search: Type.Optional(
    described(note(255), 'The id of a payment, its QR number, or else a reference_id.'),
  ),
})
export type StorePaymentListQuery = Static<typeof StorePaymentListQuery>
export const StorePaymentList = Type.Object(
  {
    ...PaymentList.properties,
    looked_until: described(
      nullable(wireTime()),
      'How far back this page has looked; null where it came to the end.',
    ),
  },
  { title: 'StorePaymentList' },
)
export type StorePaymentList = Static<typeof StorePaymentList>

export const RefundPreview = Type.Object(
  {
    payment_id: paymentId(),
    status: Type.Enum(STATUSES, { description: 'Where the payment stands.' }),
    currency: currencyCode(),
    gross: described(money(), 'What the payer paid.'),
    refund_fee: money('The refund fee. The payer receives gross less this fee.'),
    refund_amount: described(money(), 'What the payer gets.'),
    store_balance: money('What the store has now.'),
    refund_fee_waived: described(
      nullable(money()),
      'The part of the fee that the balance does not cover. The store is never charged for it. Null if the payment cannot be refunded.',
    ),
    store_debit: described(
      nullable(money()),
      'What leaves the balance of the store: the refund amount and the fee that is not waived. Null if the payment cannot be refunded.',
    ),
    store_balance_after: described(
      nullable(money()),
      'What the store has afterwards. Null if the payment cannot be refunded.',
    ),
    can_refund: described(Type.Boolean(), 'Whether this person can, now.'),
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
      'Why not, where they cannot.',
    ),
  },
  { title: 'RefundPreview' },
)
export type RefundPreview = Static<typeof RefundPreview>

const Sum = Type.Object({ count: integer('How many.'), amount: described(money(), 'Gross.') })
export const Today = Type.Object(
  {
    day: described(Type.String(), "The store's own day."),
    time_zone: string('IANA name.'),
    currency: currencyCode(),
    sales: described(Sum, 'Completed on this day, also where refunded since.'),
    refunds: described(Sum, 'Refunded on this day, whenever they were paid.'),
  },
  { title: 'Today' },
)
export type Today = Static<typeof Today>

export const StoreSettingsBody = Type.Object(
  { name: Type.Optional(storeName()), ...ownSettings },
  { title: 'StoreSettingsBody' },
)
export type StoreSettingsBody = Static<typeof StoreSettingsBody>

export const StoreSettings = Type.Object(
  {
    ...storeSettings,
    own_logo: Type.Boolean({
      description: 'Whether the logo is one of its own, and not our mark.',
    }),
  },
  { title: 'StoreSettings' },
)
export type StoreSettings = Static<typeof StoreSettings>
