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
  optional,
  string,
  wireTime,
} from './fields.ts'
import { PaymentProduct, paymentId, RequestAmount, StoreProfile } from './payments.ts'
import { STATUSES } from './values.ts'

export const WalletSessionBody = Type.Object(
  {
    phone: Type.String({ maxLength: 64, description: "The wallet's phone number." }),
    pin: Type.String({ maxLength: 64, description: "The wallet's PIN." }),
    cookie: optional(
      described(Type.Boolean(), 'True to get the token as a cookie. For pages of this service.'),
    ),
    device_token: optional(
      Type.String({
        maxLength: 100,
        description:
          'The `device_token` of an earlier sign-in on this device. A known device has its own limit on wrong PINs.',
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
    email: string("The payer's email address."),
    phone: string("The payer's phone number."),
    locked_until: nullable(
      wireTime(
        'Time when a new device can sign in again after wrong PINs, UTC. In the year 9999 if an operator locked the wallet, or if it is erased. Null if it is not locked.',
      ),
    ),
    erased_at: nullable(
      wireTime("Time when the payer's data was erased, UTC. Null if it was not."),
    ),
    balances: Type.Array(
      Type.Object({ currency: currencyCode(), balance: money('The balance in this currency.') }),
      { description: 'One balance per currency.' },
    ),
    activated: boolean('False until the payer has a PIN.'),
    locale: described(nullable(locale()), 'Language of emails to the payer. Null if not known.'),
    mail_receipts: boolean('True if the payer gets receipts and refund notices by email.'),
    pin_limits: Type.Array(
      Type.Object({
        currency: currencyCode(),
        amount: money('A payment above this amount needs the PIN.'),
      }),
      { description: "The payer's own limits. One per currency." },
    ),
  },
  { title: 'Wallet', description: 'The wallet of a payer.' },
)
export type Wallet = Static<typeof Wallet>

export const WalletSession = Type.Object(
  {
    token: Type.Optional(
      described(Type.String(), 'Send it as a bearer token. Absent if it is sent as a cookie.'),
    ),
    device_token: Type.Optional(
      described(
        Type.String(),
        'Store it on the device and send it with the next sign-in. Absent if it is sent as a cookie.',
      ),
    ),
    expires_at: wireTime('Time when the session expires, UTC.'),
    wallet: described(Wallet, 'The signed-in wallet.'),
  },
  { title: 'WalletSession', description: 'The new session.' },
)
export type WalletSession = Static<typeof WalletSession>

export const QrParams = Type.Object({
  qrCode: string('The 27 digits of the payment code. Spaces and dashes are ignored.'),
})
export type QrParams = Static<typeof QrParams>

export const PayBody = Type.Object(
  {
    donation_amount: optional(
      Type.Number({ minimum: 0, description: 'A donation on top of the amount.', examples: [0.5] }),
    ),
    pin: optional(
      Type.String({
        maxLength: 64,
        description:
          'The PIN. Required if the amount and the donation together exceed a PIN limit.',
      }),
    ),
  },
  { title: 'PayBody' },
)
export type PayBody = Static<typeof PayBody>

export const returnLink = () =>
  nullable(
    string(
      "Link back to the shop: the merchant's `return_url` with `payment_id` and `status` added to the query. Null if there is none, and while the payment is pending.",
    ),
  )

export const Receipt = Type.Object(
  {
    payment_id: paymentId(),
    status: Type.Literal('completed', { description: 'The status of the payment.' }),
    amount: money('The amount of the payment.'),
    donation_amount: money('The donation.'),
    total: money('The amount debited from the wallet.'),
    currency: currencyCode(),
    store: StoreProfile,
    paid_at: wireTime('Time of the payment, UTC.'),
    return_url: returnLink(),
  },
  { title: 'Receipt', description: 'The receipt of a payment.' },
)
export type Receipt = Static<typeof Receipt>

export const PaymentPreview = Type.Object(
  {
    payment_id: paymentId(),
    qr_code: string('The 27 digits of the payment code.'),
    status: Type.Enum(STATUSES, { description: 'The status of the payment.' }),
    amount: money('The amount to pay.'),
    currency: currencyCode(),
    request_amount: RequestAmount,
    store_id: integer("The store's number."),
    store: StoreProfile,
    reference_note: nullable(string("The store's note.")),
    products: Type.Array(PaymentProduct, { description: 'The products. May be empty.' }),
    expires_at: wireTime('Time when the payment expires, UTC.'),
    seconds_left: integer('Seconds until the payment expires. 0 if it is not pending.'),
    balance: money("The wallet's balance in this currency."),
    pin_needed: boolean(
      'True if paying this amount needs the PIN. Adding a donation can make the PIN necessary.',
    ),
    can_pay: boolean('True if this wallet can pay it now.'),
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
      'Why this wallet cannot pay. Null if it can.',
    ),
    return_url: returnLink(),
  },
  { title: 'PaymentPreview', description: 'The payment, and whether this wallet can pay it.' },
)
export type PaymentPreview = Static<typeof PaymentPreview>
