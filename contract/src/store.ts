import Type from 'typebox'
import { described } from './common.ts'
import {
  currencyShown,
  decimal,
  email,
  mode,
  money,
  note,
  nullable,
  optional,
  password,
  shown,
  text,
  whole,
  wireTime,
  yesOrNo,
} from './fields.ts'
import {
  CreateBody,
  ListData,
  ListQuery,
  PaymentDetails,
  paymentId,
  StoreProfile,
} from './merchant.ts'
import { ROLES, SCOPES, STATUSES } from './values.ts'

const role = () => Type.Enum(ROLES, { description: 'What they may do.' })

export const PersonView = Type.Object({
  person_id: shown("The person's id."),
  store_id: whole('The store that they work for.'),
  email: shown('With which they sign in.'),
  name: shown('What they are called.'),
  role: role(),
  created_at: wireTime('Since when they may sign in, UTC.'),
  disabled_at: nullable(wireTime('Since when they may not any more, UTC.')),
})

const shownOnce = described(Type.String(), 'Shown this once.')

export const PersonParams = Type.Object({ personId: shown("The person's id.") })
export const PersonBody = Type.Object({
  email: described(email(), 'With which they sign in; nobody else may have it.'),
  name: described(text(255), 'What they are called.'),
  role: role(),
  password: optional(described(password(), 'Made up and shown once where absent.')),
})
export const CreatedPerson = Type.Object({
  ...PersonView.properties,
  password: Type.Optional(shownOnce),
})
export const FindPersonQuery = Type.Object({
  email: Type.String({ maxLength: 254, description: 'With which they sign in.' }),
})
export const ChangePersonBody = Type.Object({
  name: Type.Optional(described(text(255), 'What they are called.')),
  role: Type.Optional(role()),
  disabled: Type.Optional(yesOrNo('Whether they are shut out; true ends all their sessions.')),
})
export const ResetPerson = Type.Object({ ...PersonView.properties, password: shownOnce })

export const SignInBody = Type.Object({
  email: Type.String({ maxLength: 254, description: 'The address that the operator knows.' }),
  password: Type.String({ maxLength: 200, description: 'The password.' }),
})

export const ConfirmBody = Type.Object({
  password: Type.String({ maxLength: 200, description: 'Once more.' }),
})

export const WhoAmI = Type.Object({
  person: Type.Object(
    {
      person_id: shown("The person's id."),
      email: shown('With which they sign in.'),
      name: shown('What they are called.'),
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
      session_id: shown("The session's id; no secret."),
      expires_at: wireTime('When it ends, UTC.'),
    },
    { description: 'The session that asks.' },
  ),
  store: Type.Object(
    {
      id: whole("The store's number."),
      ...StoreProfile.properties,
      currency: currencyShown(),
      time_zone: shown('IANA name.'),
      suspended: yesOrNo('Whether the operator has stopped the store.'),
    },
    { description: 'The store that they work for.' },
  ),
})

export const SessionParams = Type.Object({ sessionId: shown("The session's id.") })
export const SessionView = Type.Object({
  session_id: shown("The session's id; no secret."),
  created_at: wireTime('When it began, UTC.'),
  last_used_at: described(wireTime(), 'To the minute, UTC.'),
  expires_at: wireTime('When it ends, UTC.'),
  user_agent: shown('What the browser called itself.'),
  current: described(Type.Boolean(), 'The one that asks.'),
})

export const PasswordBody = Type.Object({
  current: Type.String({ maxLength: 200, description: 'The password until now.' }),
  new: described(password(), 'The one from now on.'),
})

const { amount, currency, reference_id, reference_note, expires_in, locale } = CreateBody.properties
export const ChargeBody = Type.Object({
  amount,
  currency: optional(described(currency, "The store's own where absent.")),
  reference_id,
  reference_note,
  expires_in,
  locale,
})
export const Charged = Type.Object({
  ...PaymentDetails.properties,
  instructions: described(Type.String(), 'A small fragment of safe HTML.'),
})

export const ModeParams = Type.Object({ mode: mode() })
export const StorePaymentParams = Type.Object({ mode: mode(), paymentId: paymentId() })

export const StoreListQuery = Type.Object({
  ...ListQuery.properties,
  amount_from: Type.Optional(described(decimal(), 'Gross, inclusive.')),
  amount_to: Type.Optional(described(decimal(), 'Gross, inclusive.')),
  payer: Type.Optional(
    described(note(255), 'Part of the name, e-mail address, phone number or wallet id.'),
  ),
  search: Type.Optional(
    described(note(255), 'The id of a payment, its QR number, or else a reference_id.'),
  ),
})
export const StoreListData = Type.Object({
  ...ListData.properties,
  looked_until: described(
    nullable(wireTime()),
    'How far back this page has looked; null where it came to the end.',
  ),
})

export const RefundPreview = Type.Object({
  payment_id: paymentId(),
  status: Type.Enum(STATUSES, { description: 'Where the payment stands.' }),
  currency: currencyShown(),
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
})

const Sum = Type.Object({ count: whole('How many.'), amount: described(money(), 'Gross.') })
export const Today = Type.Object({
  day: described(Type.String(), "The store's own day."),
  time_zone: shown('IANA name.'),
  currency: currencyShown(),
  sales: described(Sum, 'Completed on this day, also where refunded since.'),
  refunds: described(Sum, 'Refunded on this day, whenever they were paid.'),
})
