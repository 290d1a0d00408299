import Type from 'typebox'
import { SCOPES } from '../../core/credentials.ts'
import { STATUSES } from '../../core/payment.ts'
import { ROLES } from '../../core/person.ts'
import { described } from './common.ts'
import {
  decimal,
  email,
  mode,
  money,
  note,
  nullable,
  optional,
  password,
  text,
  wireTime,
} from './fields.ts'
import { CreateBody, ListData, ListQuery, PaymentDetails, StoreProfile } from './merchant.ts'

export const PersonView = Type.Object({
  person_id: Type.String(),
  store_id: Type.Integer(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...ROLES]),
  created_at: wireTime(),
  disabled_at: nullable(wireTime()),
})

const shownOnce = described(Type.String(), 'Shown this once.')

export const PersonParams = Type.Object({ personId: Type.String() })
export const PersonBody = Type.Object({
  email: email(),
  name: text(255),
  role: Type.Enum([...ROLES]),
  password: optional(described(password(), 'Made up and shown once where absent.')),
})
export const CreatedPerson = Type.Object({
  ...PersonView.properties,
  password: Type.Optional(shownOnce),
})
export const ChangePersonBody = Type.Object({
  name: Type.Optional(text(255)),
  role: Type.Optional(Type.Enum([...ROLES])),
  disabled: Type.Optional(Type.Boolean()),
})
export const ResetPerson = Type.Object({ ...PersonView.properties, password: shownOnce })

export const SignInBody = Type.Object({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 200 }),
})

export const ConfirmBody = Type.Object({ password: Type.String({ maxLength: 200 }) })

export const WhoAmI = Type.Object({
  person: Type.Object({
    person_id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum([...ROLES]),
  }),
  may: described(
    Type.Array(Type.Enum([...SCOPES])),
    'What the role may do, in the words of the scopes of API keys.',
  ),
  refund_cap: described(nullable(money()), 'Largest gross that may be refunded; null for any.'),
  session: Type.Object({ session_id: Type.String(), expires_at: wireTime() }),
  store: Type.Object({
    id: Type.Integer(),
    ...StoreProfile.properties,
    currency: Type.String(),
    time_zone: Type.String(),
    suspended: Type.Boolean(),
  }),
})

export const SessionParams = Type.Object({ sessionId: Type.String() })
export const SessionView = Type.Object({
  session_id: Type.String(),
  created_at: wireTime(),
  last_used_at: described(wireTime(), 'To the minute.'),
  expires_at: wireTime(),
  user_agent: Type.String(),
  current: described(Type.Boolean(), 'The one that asks.'),
})

export const PasswordBody = Type.Object({
  current: Type.String({ maxLength: 200 }),
  new: password(),
})

const { amount, currency, reference_id, reference_note, expires_in, locale } = CreateBody.properties
export const ChargeBody = Type.Object({
  amount,
  currency: optional(described(currency, "The store's own where absent.")),
  ...{ reference_id, reference_note, expires_in, locale },
})
export const Charged = Type.Object({
  ...PaymentDetails.properties,
  instructions: described(Type.String(), 'A small fragment of safe HTML.'),
})

export const ModeParams = Type.Object({ mode: mode() })
export const StorePaymentParams = Type.Object({ mode: mode(), paymentId: Type.String() })

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
  payment_id: Type.String(),
  status: Type.Enum([...STATUSES]),
  currency: Type.String(),
  gross: described(money(), 'What the payer paid, and what leaves the balance of the store.'),
  refund_fee: money(),
  refund_amount: described(money(), 'What the payer gets.'),
  store_balance: money(),
  store_balance_after: described(nullable(money()), 'Null where it cannot be refunded.'),
  can_refund: described(Type.Boolean(), 'Whether this person can, now.'),
  reason: nullable(
    Type.Enum([
      'role_not_allowed',
      'above_refund_cap',
      'already_refunded',
      'not_completed',
      'insufficient_store_balance',
    ]),
  ),
})

const Sum = Type.Object({ count: Type.Integer(), amount: described(money(), 'Gross.') })
export const Today = Type.Object({
  day: described(Type.String(), "The store's own day."),
  time_zone: Type.String(),
  currency: Type.String(),
  sales: described(Sum, 'Completed on this day, also where refunded since.'),
  refunds: described(Sum, 'Refunded on this day, whenever they were paid.'),
})
