import Type, { type Static } from 'typebox'
import {
  boolean,
  currencyCode,
  cursorQuery,
  described,
  integer,
  limitQuery,
  mode,
  money,
  nextCursor,
  nullable,
  optional,
  string,
  wireTime,
} from './fields.ts'
import { PaymentProduct, paymentId, RequestAmount, StoreProfile } from './payments.ts'
import { STATUSES } from './values.ts'

export const WalletSessionBody = Type.Object(
  {
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
  },
  { title: 'WalletSessionBody' },
)
export type WalletSessionBody = Static<typeof WalletSessionBody>

export const Wallet = Type.Object(
  {
    id: integer("The wallet's number."),
    wallet_id: string("The wallet's id."),
    mode: mode(),
    name: string("The payer's name."),
    email: string("The payer's e-mail address."),
    phone: string("The payer's phone number."),
    locked_until: nullable(
      wireTime(
        'When sign-in from new devices unlocks after wrong PINs, UTC. In the year 9999 if an operator locked the wallet.',
      ),
    ),
    erased_at: nullable(wireTime('Since when nobody is known behind it any more, UTC.')),
    balances: Type.Array(
      Type.Object({ currency: currencyCode(), balance: money('What the wallet has of it.') }),
      { description: 'One for each currency.' },
    ),
  },
  { title: 'Wallet' },
)
export type Wallet = Static<typeof Wallet>

export const WalletSession = Type.Object(
  {
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
    wallet: described(Wallet, 'Who is signed in.'),
  },
  { title: 'WalletSession' },
)
export type WalletSession = Static<typeof WalletSession>

export const QrParams = Type.Object({ qrCode: string('The 27 digits of the QR code.') })
export type QrParams = Static<typeof QrParams>

export const PayBody = Type.Object(
  {
    donation_amount: optional(
      Type.Number({ minimum: 0, description: 'A gift on top, for charity.', examples: [0.5] }),
    ),
  },
  { title: 'PayBody' },
)
export type PayBody = Static<typeof PayBody>

export const Receipt = Type.Object(
  {
    payment_id: paymentId(),
    status: Type.Literal('completed', { description: 'Where the payment stands.' }),
    amount: money('What the store asked for.'),
    donation_amount: money('The gift on top.'),
    total: money('What left the wallet.'),
    currency: currencyCode(),
    store: StoreProfile,
    paid_at: wireTime('When, UTC.'),
  },
  { title: 'Receipt' },
)
export type Receipt = Static<typeof Receipt>

export const PaymentPreview = Type.Object(
  {
    payment_id: paymentId(),
    qr_code: string('The 27 digits.'),
    status: Type.Enum(STATUSES, { description: 'Where the payment stands.' }),
    amount: described(money(), 'What the payer pays.'),
    currency: currencyCode(),
    request_amount: RequestAmount,
    store: StoreProfile,
    reference_note: nullable(string("The store's words.")),
    products: Type.Array(PaymentProduct, { description: 'What is sold; may be empty.' }),
    expires_at: wireTime('Until when it can be paid, UTC.'),
    seconds_left: integer('How long that is; 0 when it is over.'),
    balance: described(money(), "The wallet's balance in this currency."),
    can_pay: boolean('Whether this wallet can pay it now.'),
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
  },
  { title: 'PaymentPreview' },
)
export type PaymentPreview = Static<typeof PaymentPreview>

export const ActivityQuery = Type.Object({
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type ActivityQuery = Static<typeof ActivityQuery>

export const Activity = Type.Object(
  {
    activity: Type.Array(
      Type.Object({
        at: wireTime('When, UTC.'),
        kind: Type.Enum(['payment', 'donation', 'refund', 'top_up', 'withdrawal'], {
          description: 'What it was.',
        }),
        amount: described(money(), 'Negative where money left the wallet.'),
        currency: currencyCode(),
        reference: string('The payment, or the reference of the movement.'),
        store: nullable(string('Name of the store, where there is one.')),
        note: nullable(string('What the operator noted.')),
      }),
      { description: 'Newest first.' },
    ),
    next_cursor: nextCursor(),
  },
  { title: 'Activity' },
)
export type Activity = Static<typeof Activity>
