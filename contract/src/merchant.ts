import Type from 'typebox'
import { described } from './common.ts'
import {
  currency,
  currencyShown,
  cursorAsked,
  dialCode,
  email,
  fromAsked,
  limitAsked,
  locale,
  mode,
  money,
  note,
  nullable,
  optional,
  shown,
  text,
  toAsked,
  whole,
  wireTime,
  yesOrNo,
} from './fields.ts'
import { STATUSES } from './values.ts'

export const MAX_PRODUCTS = 100

export const paymentId = () =>
  Type.String({
    description: '`pay_` and 26 characters.',
    examples: ['pay_06gxt709g80000ba9e0bf4rx72'],
  })

const Client = Type.Object({
  name: described(text(255), "The customer's name."),
  email: described(email(), "The customer's e-mail address."),
  phone: described(text(32), "The customer's phone number, kept as sent."),
  phone_dial_code: optional(
    described(dialCode(), 'Country calling code, 1 to 4 digits with or without `+`.'),
  ),
})

const Product = Type.Object({
  name: described(text(255), 'What is sold.'),
  quantity: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'How many of it.',
  }),
  price: Type.Number({ minimum: 0, description: 'Of one, in the currency of the request.' }),
})

export const CreateBody = Type.Object({
  amount: Type.Number({
    exclusiveMinimum: 0,
    description:
      'What to ask for. At most 12 integer digits and as many decimals as the currency has.',
    examples: [12.5],
  }),
  currency: described(
    currency(),
    "ISO 4217. Other than the store's own: converted at the operator's rate.",
  ),
  client: optional(described(Client, 'Who is asked for the money, for your own records.')),
  products: optional(
    Type.Array(Product, {
      maxItems: MAX_PRODUCTS,
      description: 'What is sold. Shown to the payer; need not add up to `amount`.',
    }),
  ),
  payload: optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Custom data, at most 16 KiB as JSON.',
    }),
  ),
  reference_id: optional(
    described(note(255), 'Your own id of the order; lists can be asked by it.'),
  ),
  reference_note: optional(described(note(1000), 'Your own words. Shown to the payer.')),
  webhook_url: optional(
    Type.String({
      maxLength: 2048,
      description: 'Where to tell what becomes of the payment; http or https.',
      examples: ['https://shop.example/hook'],
    }),
  ),
  return_url: optional(
    Type.String({
      maxLength: 2048,
      description:
        'Where the checkout page links back to after the outcome, with `payment_id` and `status` added to the query; http or https.',
      examples: ['https://shop.example/thanks'],
    }),
  ),
  expires_in: optional(
    Type.Integer({ minimum: 60, maximum: 86400, description: 'Seconds until it expires.' }),
  ),
  locale: optional(
    described(locale(), 'Language of the instructions; otherwise Accept-Language decides.'),
  ),
})

export const CreatedBody = Type.Object(
  {
    message: shown('What happened, in words.'),
    data: Type.Object(
      {
        payment_id: paymentId(),
        qr_code: Type.String({
          pattern: '^[0-9]{27}$',
          description: '27 digits, to be shown as a QR code or typed.',
        }),
        instructions: shown('For the payer: a small fragment of safe HTML.'),
      },
      { description: 'The new payment.' },
    ),
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

export const PaymentIdParams = Type.Object({ paymentId: paymentId() })

const StatusValue = Type.Enum(STATUSES, { description: 'Where the payment stands.' })

export const StoreProfile = Type.Object(
  {
    name: shown('What the store is called.'),
    logo: shown('Address of an image.'),
    domain: shown("The store's own site; empty where there is none."),
    email: shown('Where to write to; empty where there is none.'),
    phone: shown('Where to call; empty where there is none.'),
  },
  { description: 'The store as payers see it.' },
)

export const RequestAmount = Type.Object(
  {
    amount: money('As it was asked for.'),
    currency: currencyShown('In which it was asked for.'),
    conversion_rate: Type.String({
      pattern: '^\\d+\\.\\d{4}$',
      description: "What one unit of it is in the store's currency.",
    }),
  },
  { description: 'What was asked for, before conversion.' },
)

export const ProductView = Type.Object({
  name: shown('What is sold.'),
  quantity: whole('How many of it.'),
  price: money('Of one, in the currency of the request.'),
})

export const PaymentDetails = Type.Object({
  payment_id: paymentId(),
  qr_code: shown('27 digits, to be shown as a QR code or typed.'),
  amount: described(money(), 'Net: what the store receives after the transaction fee.'),
  transaction_fee: money('What the service keeps.'),
  donation_amount: described(money(), 'What the payer chose to add for charity.'),
  currency: currencyShown("The store's currency, in which all but `request_amount` is told."),
  status: StatusValue,
  created_at: wireTime('When it was asked for, UTC.'),
  is_sandbox_transaction: yesOrNo('Whether it is a sandbox payment.'),
  client: nullable(
    Type.Object(
      {
        name: shown("The customer's name."),
        email: shown("The customer's e-mail address."),
        phone_dial_code: nullable(shown('As it was sent.')),
        phone: shown("The customer's phone number."),
      },
      { description: 'Who was asked for the money, as you sent it.' },
    ),
  ),
  user: nullable(
    Type.Object(
      {
        id: whole("The wallet's number."),
        name: shown("The payer's name."),
        email: shown("The payer's e-mail address."),
        phone: shown("The payer's phone number."),
        wallet_id: shown("The wallet's id."),
      },
      { description: 'Who paid; null until then.' },
    ),
  ),
  store: StoreProfile,
  webhook: nullable(
    Type.Object(
      {
        url: shown('Where your server is told.'),
        called_at: nullable(wireTime('The latest attempt, UTC.')),
        response: nullable(
          Type.Object({}, { description: 'What came of it: `{status_code, body}`, or `{error}`.' }),
        ),
      },
      { description: 'Telling your server; null where no `webhook_url` was given.' },
    ),
  ),
  reference: Type.Object(
    {
      id: nullable(shown('Your `reference_id`.')),
      note: nullable(shown('Your `reference_note`.')),
    },
    { description: 'What you named it.' },
  ),
  request_amount: RequestAmount,
  payload: nullable(Type.Object({}, { description: 'Your custom data, as you sent it.' })),
  products: Type.Array(ProductView, { description: 'What is sold; may be empty.' }),
  expires_at: wireTime('When a pending payment expires, UTC.'),
  refund: nullable(
    Type.Object(
      {
        refund_amount: money('What the payer got back.'),
        refund_fee: money('The refund fee: gross less the refund amount.'),
        refunded_at: wireTime('When, UTC.'),
      },
      { description: 'Null unless it was refunded.' },
    ),
  ),
})

export const StatusData = Type.Object({ payment_id: paymentId(), status: StatusValue })

/** The one error body with another key. */
export const StatusNotFound = Type.Object(
  {
    status_code: Type.Literal(404, { description: 'The HTTP status again, under another name.' }),
    message: shown('What happened, in words.'),
  },
  { description: 'Not found' },
)

export const RefundData = Type.Object({
  payment_id: paymentId(),
  refund_amount: money('What the payer gets back.'),
  refund_fee: money('The refund fee: gross less the refund amount.'),
  status: Type.Literal('refunded', { description: 'Where the payment stands.' }),
  refunded_at: wireTime('When, UTC.'),
})

export const StatusQuery = Type.Object({
  wait: Type.Optional(
    Type.String({
      description:
        'Seconds to wait for a change, 0 to 60. At most 100 requests wait for one payment, and 5,000 from one address; more get 503.',
      examples: ['30'],
    }),
  ),
})

export const ListQuery = Type.Object({
  status: Type.Optional(described(StatusValue, 'Only those; an overdue one counts as expired.')),
  reference_id: Type.Optional(described(note(255), 'Only those with this `reference_id`.')),
  created_from: fromAsked(),
  created_to: toAsked(),
  limit: limitAsked(),
  cursor: cursorAsked(),
})

export const ListData = Type.Object({
  payments: Type.Array(PaymentDetails, { description: 'Newest first.' }),
  next_cursor: described(
    nullable(Type.String()),
    'Null on the last page. With a filter a page may hold few payments, or none, and still not be the last.',
  ),
})

export const QrQuery = Type.Object({
  format: Type.Optional(Type.Enum(['svg', 'png'], { description: 'svg where absent.' })),
  size: Type.Optional(Type.String({ description: 'Pixels, 64 to 2048; 290 where absent.' })),
})

export const QuoteQuery = Type.Object({
  amount: Type.Optional(
    Type.String({ description: 'Required. A decimal number.', examples: ['12.50'] }),
  ),
  currency: Type.Optional(
    Type.String({ description: 'Required. ISO 4217 in upper case.', examples: ['USD'] }),
  ),
})

const volume = (description: string) =>
  Type.Object(
    {
      limit: nullable(money('The limit; null for none.')),
      left: nullable(money('What is left of it; null for no limit.')),
    },
    { description },
  )

export const QuoteData = Type.Object({
  request_amount: RequestAmount,
  gross: described(money(), 'What the payer pays.'),
  transaction_fee: money('What the service would keep.'),
  amount: described(money(), 'What the store receives.'),
  currency: currencyShown("The store's currency."),
  limits: Type.Object(
    {
      min_amount: nullable(money('Least gross of a payment; null for none.')),
      max_amount: nullable(money('Largest gross of a payment; null for none.')),
      daily: volume("On the store's own day."),
      monthly: volume("In the store's own month."),
    },
    { description: "The store's limits." },
  ),
  within_limits: yesOrNo('Whether creating it would be let through now.'),
})

export const BalanceData = Type.Object({
  balance: money('What the store has.'),
  currency: currencyShown("The store's currency."),
  pending_amount: described(money(), 'Gross of payments that are still pending.'),
})

/** What the operator has set for a store, as the store and the operator both see it. */
export const storeSettings = {
  id: whole("The store's number."),
  ...StoreProfile.properties,
  currency: currencyShown("The store's currency."),
  time_zone: shown('IANA name; its days and months are those of the limits.'),
  fee_bps: whole('Transaction fee in basis points of gross; 100 is 1 %.'),
  fee_fixed: money('Fixed part of the transaction fee.'),
  refund_fee: money('What a refund costs the payer.'),
  min_amount: nullable(money('Least gross of a payment; null for none.')),
  max_amount: nullable(money('Largest gross of a payment; null for none.')),
  daily_limit: nullable(money('Gross a day; null for none.')),
  monthly_limit: nullable(money('Gross a month; null for none.')),
  expires_after_seconds: whole('How long a payment can be paid, unless told at creation.'),
  unique_references: yesOrNo('Whether a `reference_id` that is pending or paid is refused.'),
  refund_cap_manager: described(nullable(money()), 'Largest gross that a manager may refund.'),
  refund_cap_cashier: described(nullable(money()), 'The same for a cashier; 0 is none at all.'),
  embed_origins: described(
    Type.Array(Type.String()),
    'Sites that may show the checkout page in a frame.',
  ),
}

export const StoreData = Type.Object({
  ...storeSettings,
  mode: described(mode(), 'Of the credentials.'),
  scopes: Type.Array(Type.String(), { description: 'What the credentials may do.' }),
})
