import Type from 'typebox'
import { STATUSES } from '../../core/payment.ts'
import { described } from './common.ts'
import {
  currency,
  dialCode,
  email,
  locale,
  mode,
  money,
  note,
  nullable,
  optional,
  text,
  wireTime,
} from './fields.ts'

export const MAX_PRODUCTS = 100

const Client = Type.Object({
  name: text(255),
  email: email(),
  phone: text(32),
  phone_dial_code: optional(dialCode()),
})

const Product = Type.Object({
  name: text(255),
  quantity: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  price: Type.Number({ minimum: 0 }),
})

export const CreateBody = Type.Object({
  amount: Type.Number({
    exclusiveMinimum: 0,
    description: 'At most 12 integer digits and as many decimals as the currency has.',
    examples: [12.5],
  }),
  currency: described(
    currency(),
    "ISO 4217. Other than the store's own: converted at the operator's rate.",
  ),
  client: optional(Client),
  products: optional(Type.Array(Product, { maxItems: MAX_PRODUCTS })),
  payload: optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Custom data, at most 16 KiB as JSON.',
    }),
  ),
  reference_id: optional(note(255)),
  reference_note: optional(note(1000)),
  webhook_url: optional(Type.String({ maxLength: 2048, examples: ['https://shop.example/hook'] })),
  expires_in: optional(
    Type.Integer({ minimum: 60, maximum: 86400, description: 'Seconds until it expires.' }),
  ),
  locale: optional(
    described(locale(), 'Language of the instructions; otherwise Accept-Language decides.'),
  ),
})

export const CreatedBody = Type.Object(
  {
    message: Type.String(),
    data: Type.Object({
      payment_id: Type.String(),
      qr_code: Type.String({ pattern: '^[0-9]{27}$' }),
      instructions: described(Type.String(), 'A small fragment of safe HTML.'),
    }),
  },
  {
    description: 'Created',
    headers: {
      link: {
        type: 'string',
        description: 'The checkout page: `<https://…/pay/{payment_id}>; rel="checkout"`.',
      },
    },
  },
)

export const PaymentIdParams = Type.Object({ paymentId: Type.String() })

const StatusValue = Type.Enum([...STATUSES])

export const StoreProfile = Type.Object({
  name: Type.String(),
  logo: Type.String(),
  domain: Type.String(),
  email: Type.String(),
  phone: Type.String(),
})

export const RequestAmount = Type.Object({
  amount: money(),
  currency: Type.String(),
  conversion_rate: Type.String({ pattern: '^\\d+\\.\\d{4}$' }),
})

export const ProductView = Type.Object({
  name: Type.String(),
  quantity: Type.Integer(),
  price: money(),
})

export const PaymentDetails = Type.Object({
  payment_id: Type.String(),
  qr_code: Type.String(),
  amount: described(money(), 'Net: what the store receives after the transaction fee.'),
  transaction_fee: money(),
  donation_amount: described(money(), 'What the payer chose to add for charity.'),
  currency: Type.String(),
  status: StatusValue,
  created_at: wireTime(),
  is_sandbox_transaction: Type.Boolean(),
  client: nullable(
    Type.Object({
      name: Type.String(),
      email: Type.String(),
      phone_dial_code: nullable(Type.String()),
      phone: Type.String(),
    }),
  ),
  user: nullable(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      email: Type.String(),
      phone: Type.String(),
      wallet_id: Type.String(),
    }),
  ),
  store: StoreProfile,
  webhook: nullable(
    Type.Object({
      url: Type.String(),
      called_at: nullable(wireTime()),
      response: nullable(Type.Object({})),
    }),
  ),
  reference: Type.Object({ id: nullable(Type.String()), note: nullable(Type.String()) }),
  request_amount: RequestAmount,
  payload: nullable(Type.Object({})),
  products: Type.Array(ProductView),
  expires_at: wireTime(),
  refund: nullable(
    Type.Object({ refund_amount: money(), refund_fee: money(), refunded_at: wireTime() }),
  ),
})

export const StatusData = Type.Object({ payment_id: Type.String(), status: StatusValue })

/** The one error body with another key. */
export const StatusNotFound = Type.Object(
  {
    status_code: Type.Literal(404),
    message: Type.String(),
  },
  { description: 'Not found' },
)

export const RefundData = Type.Object({
  payment_id: Type.String(),
  refund_amount: money(),
  refund_fee: money(),
  status: Type.Literal('refunded'),
  refunded_at: wireTime(),
})

export const StatusQuery = Type.Object({
  wait: Type.Optional(
    Type.String({ description: 'Seconds to wait for a change, 0 to 60.', examples: ['30'] }),
  ),
})

export const ListQuery = Type.Object({
  status: Type.Optional(StatusValue),
  reference_id: Type.Optional(note(255)),
  created_from: Type.Optional(Type.String({ description: 'Inclusive; UTC or ISO 8601.' })),
  created_to: Type.Optional(Type.String({ description: 'Exclusive; UTC or ISO 8601.' })),
  limit: Type.Optional(Type.String({ description: '1 to 100; 20 where absent.' })),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
})

export const ListData = Type.Object({
  payments: Type.Array(PaymentDetails),
  next_cursor: described(
    nullable(Type.String()),
    'Null on the last page. With a filter a page may hold few payments, or none, and still not be the last.',
  ),
})

export const QrQuery = Type.Object({
  format: Type.Optional(Type.Enum(['svg', 'png'])),
  size: Type.Optional(Type.String({ description: 'Pixels, 64 to 2048; 290 where absent.' })),
})

export const QuoteQuery = Type.Object({
  amount: Type.Optional(Type.String({ examples: ['12.50'] })),
  currency: Type.Optional(Type.String({ examples: ['USD'] })),
})

const Limit = Type.Object({ limit: nullable(money()), left: nullable(money()) })

export const QuoteData = Type.Object({
  request_amount: RequestAmount,
  gross: described(money(), 'What the payer pays.'),
  transaction_fee: money(),
  amount: described(money(), 'What the store receives.'),
  currency: Type.String(),
  limits: Type.Object({
    min_amount: nullable(money()),
    max_amount: nullable(money()),
    daily: Limit,
    monthly: Limit,
  }),
  within_limits: Type.Boolean(),
})

export const BalanceData = Type.Object({
  balance: money(),
  currency: Type.String(),
  pending_amount: described(money(), 'Gross of payments that are still pending.'),
})

/** What the operator has set for a store, as the store and the operator both see it. */
export const storeSettings = {
  id: Type.Integer(),
  ...StoreProfile.properties,
  currency: Type.String(),
  time_zone: Type.String(),
  fee_bps: Type.Integer(),
  fee_fixed: money(),
  refund_fee: money(),
  min_amount: nullable(money()),
  max_amount: nullable(money()),
  daily_limit: nullable(money()),
  monthly_limit: nullable(money()),
  expires_after_seconds: Type.Integer(),
  unique_references: Type.Boolean(),
  refund_cap_manager: described(nullable(money()), 'Largest gross that a manager may refund.'),
  refund_cap_cashier: described(nullable(money()), 'The same for a cashier; 0 is none at all.'),
  embed_origins: described(
    Type.Array(Type.String()),
    'Sites that may show the checkout page in a frame.',
  ),
}

export const StoreData = Type.Object({
  ...storeSettings,
  mode: mode(),
  scopes: Type.Array(Type.String()),
})
