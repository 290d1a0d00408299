import Type from 'typebox'
import { described } from './common.ts'
import {
  currencyShown,
  cursorAsked,
  limitAsked,
  mode,
  money,
  nextCursor,
  nullable,
  optional,
  shown,
  whole,
  wireTime,
  yesOrNo,
} from './fields.ts'
import { ProductView, paymentId, RequestAmount, StoreProfile } from './merchant.ts'
import { STATUSES } from './values.ts'

export const SessionBody = Type.Object({
  phone: Type.String({ maxLength: 64, description: "The wallet's phone number." }),
  pin: Type.String({ maxLength: 64, description: 'Its PIN.' }),
  cookie: optional(
    described(Type.Boolean(), 'For pages of this service: the token comes as a cookie instead.'),
  ),
  device_token: optional(
    Type.String({
      maxLength: 100,
      description:
        'The `device_token` of an earlier sign-in on this device. A known device has its own limit of wrong PINs.',
    }),
  ),
})

export const WalletData = Type.Object({
  id: whole("The wallet's number."),
  wallet_id: shown("The wallet's id."),
  mode: mode(),
  name: shown("The payer's name."),
  email: shown("The payer's e-mail address."),
  phone: shown("The payer's phone number."),
  locked_until: nullable(
    wireTime(
      'When sign-in from new devices unlocks after wrong PINs, UTC. In the year 9999 if an operator locked the wallet.',
    ),
  ),
  erased_at: nullable(wireTime('Since when nobody is known behind it any more, UTC.')),
  balances: Type.Array(
    Type.Object({ currency: currencyShown(), balance: money('What the wallet has of it.') }),
    { description: 'One for each currency.' },
  ),
})

export const SessionData = Type.Object({
  token: Type.Optional(
    described(Type.String(), 'Send it as a bearer token. Absent where it comes as a cookie.'),
  ),
  device_token: Type.Optional(
    described(
      Type.String(),
      'Store it on the device and send it with the next sign-in. Absent if it is sent as a cookie.',
    ),
  ),
  expires_at: wireTime('When the session ends, UTC.'),
  wallet: described(WalletData, 'Who is signed in.'),
})

export const QrParams = Type.Object({ qrCode: shown('The 27 digits of the QR code.') })

export const PayBody = Type.Object({
  donation_amount: optional(
    Type.Number({ minimum: 0, description: 'A gift on top, for charity.', examples: [0.5] }),
  ),
})

export const Receipt = Type.Object({
  payment_id: paymentId(),
  status: Type.Literal('completed', { description: 'Where the payment stands.' }),
  amount: money('What the store asked for.'),
  donation_amount: money('The gift on top.'),
  total: money('What left the wallet.'),
  currency: currencyShown(),
  store: StoreProfile,
  paid_at: wireTime('When, UTC.'),
})

export const Preview = Type.Object({
  payment_id: paymentId(),
  qr_code: shown('The 27 digits.'),
  status: Type.Enum(STATUSES, { description: 'Where the payment stands.' }),
  amount: described(money(), 'What the payer pays.'),
  currency: currencyShown(),
  request_amount: RequestAmount,
  store: StoreProfile,
  reference_note: nullable(shown("The store's words.")),
  products: Type.Array(ProductView, { description: 'What is sold; may be empty.' }),
  expires_at: wireTime('Until when it can be paid, UTC.'),
  seconds_left: whole('How long that is; 0 when it is over.'),
  balance: described(money(), "The wallet's balance in this currency."),
  can_pay: yesOrNo('Whether this wallet can pay it now.'),
  reason: described(
    nullable(
      Type.Enum([
        'paid_already',
        'payment_expired',
        'payment_not_pending',
        'store_suspended',
        'wallet_locked',
        'insufficient_balance',
      ]),
    ),
    'Why this wallet cannot pay, if it cannot.',
  ),
})

export const ActivityQuery = Type.Object({
  limit: limitAsked(),
  cursor: cursorAsked(),
})

export const ActivityData = Type.Object({
  activity: Type.Array(
    Type.Object({
      at: wireTime('When, UTC.'),
      kind: Type.Enum(['payment', 'donation', 'refund', 'top_up', 'withdrawal'], {
        description: 'What it was.',
      }),
      amount: described(money(), 'Negative where money left the wallet.'),
      currency: currencyShown(),
      reference: shown('The payment, or the reference of the movement.'),
      store: nullable(shown('Name of the store, where there is one.')),
      note: nullable(shown('What the operator noted.')),
    }),
    { description: 'Newest first.' },
  ),
  next_cursor: nextCursor(),
})

export const SandboxPayBody = Type.Object({
  outcome: optional(
    Type.Enum(['completed', 'insufficient_balance', 'error'], {
      description: 'What becomes of it; `completed` where absent.',
    }),
  ),
  donation_amount: optional(
    Type.Number({ minimum: 0, description: 'What the payer adds for charity.', examples: [0.5] }),
  ),
})
