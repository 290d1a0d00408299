import Type from 'typebox'
import { STATUSES } from '../../core/payment.ts'
import { described } from './common.ts'
import { mode, money, nullable, optional, wireTime } from './fields.ts'
import { ProductView, RequestAmount, StoreProfile } from './merchant.ts'

export const SessionBody = Type.Object({
  phone: Type.String({ maxLength: 64 }),
  pin: Type.String({ maxLength: 64 }),
  cookie: optional(
    described(Type.Boolean(), 'For pages of this service: the token comes as a cookie instead.'),
  ),
})

export const WalletData = Type.Object({
  id: Type.Integer(),
  wallet_id: Type.String(),
  mode: mode(),
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  locked_until: described(
    nullable(wireTime()),
    'In the year 9999 where only an operator unlocks it.',
  ),
  balances: Type.Array(Type.Object({ currency: Type.String(), balance: money() })),
})

export const SessionData = Type.Object({
  token: Type.Optional(
    described(Type.String(), 'Send it as a bearer token. Absent where it comes as a cookie.'),
  ),
  expires_at: wireTime(),
  wallet: WalletData,
})

export const QrParams = Type.Object({ qrCode: Type.String() })

export const PayBody = Type.Object({
  donation_amount: optional(
    Type.Number({ minimum: 0, description: 'A gift on top, for charity.', examples: [0.5] }),
  ),
})

export const Receipt = Type.Object({
  payment_id: Type.String(),
  status: Type.Literal('completed'),
  amount: money(),
  donation_amount: money(),
  total: money(),
  currency: Type.String(),
  store: StoreProfile,
  paid_at: wireTime(),
})

export const Preview = Type.Object({
  payment_id: Type.String(),
  qr_code: Type.String(),
  status: Type.Enum([...STATUSES]),
  amount: described(money(), 'What the payer pays.'),
  currency: Type.String(),
  request_amount: RequestAmount,
  store: StoreProfile,
  reference_note: nullable(Type.String()),
  products: Type.Array(ProductView),
  expires_at: wireTime(),
  seconds_left: Type.Integer(),
  balance: described(money(), "The wallet's balance in this currency."),
  can_pay: Type.Boolean(),
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
  limit: Type.Optional(Type.String({ description: '1 to 100; 20 where absent.' })),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
})

export const ActivityData = Type.Object({
  activity: Type.Array(
    Type.Object({
      at: wireTime(),
      kind: Type.Enum(['payment', 'donation', 'refund', 'top_up', 'withdrawal']),
      amount: described(money(), 'Negative where money left the wallet.'),
      currency: Type.String(),
      reference: Type.String(),
      store: nullable(Type.String()),
      note: nullable(Type.String()),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const SandboxPayBody = Type.Object({
  outcome: optional(Type.Enum(['completed', 'insufficient_balance', 'error'])),
  donation_amount: optional(Type.Number({ minimum: 0 })),
})
