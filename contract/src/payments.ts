import Type, { type Static } from 'typebox'
import {
  boolean,
  currency,
  currencyCode,
  cursorQuery,
  described,
  dialCode,
  email,
  fromQuery,
  integer,
  limitQuery,
  locale,
  money,
  note,
  nullable,
  optional,
  string,
  text,
  toQuery,
  wireTime,
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

export const CreatePaymentBody = Type.Object(
  {
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
  },
  { title: 'CreatePaymentBody' },
)
export type CreatePaymentBody = Static<typeof CreatePaymentBody>

export const CreatedPayment = Type.Object(
  {
    message: string('What happened, in words.'),
    data: Type.Object(
      {
        payment_id: paymentId(),
        qr_code: Type.String({
          pattern: '^[0-9]{27}$',
          description: '27 digits, to be shown as a QR code or typed.',
        }),
        instructions: string('For the payer: a small fragment of safe HTML.'),
      },
      { description: 'The new payment.' },
    ),
  },
  {
    title: 'CreatedPayment',
    description: 'Created',
    headers: {
      link: {
        type: 'string',
        description: 'The checkout page: `<https://…/pay/{payment_id}>; rel="checkout"`.',
      },
    },
  },
)
export type CreatedPayment = Static<typeof CreatedPayment>

export const PaymentIdParams = Type.Object({ paymentId: paymentId() })
export type PaymentIdParams = Static<typeof PaymentIdParams>

const StatusValue = Type.Enum(STATUSES, { description: 'Where the payment stands.' })

export const StoreProfile = Type.Object(
  {
    name: string('What the store is called.'),
    logo: string('Address of an image.'),
    domain: string("The store's own site; empty where there is none."),
    email: string('Where to write to; empty where there is none.'),
    phone: string('Where to call; empty where there is none.'),
  },
  { title: 'StoreProfile', description: 'The store as payers see it.' },
)
export type StoreProfile = Static<typeof StoreProfile>

export const RequestAmount = Type.Object(
  {
    amount: money('As it was asked for.'),
    currency: currencyCode('In which it was asked for.'),
    conversion_rate: Type.String({
      pattern: '^\\d+\\.\\d{4}$',
      description: "What one unit of it is in the store's currency.",
    }),
  },
  { title: 'RequestAmount', description: 'What was asked for, before conversion.' },
)
export type RequestAmount = Static<typeof RequestAmount>

export const PaymentProduct = Type.Object(
  {
    name: string('What is sold.'),
    quantity: integer('How many of it.'),
    price: money('Of one, in the currency of the request.'),
  },
  { title: 'PaymentProduct' },
)
export type PaymentProduct = Static<typeof PaymentProduct>

export const PaymentDetails = Type.Object(
  {
    payment_id: paymentId(),
    qr_code: string('27 digits, to be shown as a QR code or typed.'),
    amount: described(money(), 'Net: what the store receives after the transaction fee.'),
    transaction_fee: money('What the service keeps.'),
    donation_amount: described(money(), 'What the payer chose to add for charity.'),
    currency: currencyCode("The store's currency, in which all but `request_amount` is told."),
    status: StatusValue,
    created_at: wireTime('When it was asked for, UTC.'),
    is_sandbox_transaction: boolean('Whether it is a sandbox payment.'),
    client: nullable(
      Type.Object(
        {
          name: string("The customer's name."),
          email: string("The customer's e-mail address."),
          phone_dial_code: nullable(string('As it was sent.')),
          phone: string("The customer's phone number."),
        },
        { description: 'Who was asked for the money, as you sent it.' },
      ),
    ),
    user: nullable(
      Type.Object(
        {
          id: integer("The wallet's number."),
          name: string("The payer's name."),
          email: string("The payer's e-mail address."),
          phone: string("The payer's phone number."),
          wallet_id: string("The wallet's id."),
        },
        { description: 'Who paid; null until then.' },
      ),
    ),
    store: StoreProfile,
    webhook: nullable(
      Type.Object(
        {
          url: string('Where your server is told.'),
          called_at: nullable(wireTime('The latest attempt, UTC.')),
          response: nullable(
            Type.Object(
              {},
              { description: 'What came of it: `{status_code, body}`, or `{error}`.' },
            ),
          ),
        },
        { description: 'Telling your server; null where no `webhook_url` was given.' },
      ),
    ),
    reference: Type.Object(
      {
        id: nullable(string('Your `reference_id`.')),
        note: nullable(string('Your `reference_note`.')),
      },
      { description: 'What you named it.' },
    ),
    request_amount: RequestAmount,
    payload: nullable(Type.Object({}, { description: 'Your custom data, as you sent it.' })),
    products: Type.Array(PaymentProduct, { description: 'What is sold; may be empty.' }),
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
  },
  { title: 'PaymentDetails' },
)
export type PaymentDetails = Static<typeof PaymentDetails>

export const PaymentStatus = Type.Object(
  { payment_id: paymentId(), status: StatusValue },
  { title: 'PaymentStatus' },
)
export type PaymentStatus = Static<typeof PaymentStatus>

/** The one error body with another key. */
export const StatusNotFound = Type.Object(
  {
    status_code: Type.Literal(404, { description: 'The HTTP status again, under another name.' }),
    message: string('What happened, in words.'),
  },
  { title: 'StatusNotFound', description: 'Not found' },
)
export type StatusNotFound = Static<typeof StatusNotFound>

export const Refund = Type.Object(
  {
    payment_id: paymentId(),
    refund_amount: money('What the payer gets back.'),
    refund_fee: money('The refund fee: gross less the refund amount.'),
    status: Type.Literal('refunded', { description: 'Where the payment stands.' }),
    refunded_at: wireTime('When, UTC.'),
  },
  { title: 'Refund' },
)
export type Refund = Static<typeof Refund>

export const StatusQuery = Type.Object({
  wait: Type.Optional(
    Type.String({
      description:
        'Seconds to wait for a change, 0 to 60. At most 100 requests wait for one payment, and 5,000 from one address; more get 503.',
      examples: ['30'],
    }),
  ),
})
export type StatusQuery = Static<typeof StatusQuery>

export const PaymentListQuery = Type.Object({
  status: Type.Optional(described(StatusValue, 'Only those; an overdue one counts as expired.')),
  reference_id: Type.Optional(described(note(255), 'Only those with this `reference_id`.')),
  created_from: fromQuery(),
  created_to: toQuery(),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type PaymentListQuery = Static<typeof PaymentListQuery>

export const PaymentList = Type.Object(
  {
    payments: Type.Array(PaymentDetails, { description: 'Newest first.' }),
    next_cursor: described(
      nullable(Type.String()),
      'Null on the last page. With a filter a page may hold few payments, or none, and still not be the last.',
    ),
  },
  { title: 'PaymentList' },
)
export type PaymentList = Static<typeof PaymentList>

export const QrQuery = Type.Object({
  format: Type.Optional(Type.Enum(['svg', 'png'], { description: 'svg where absent.' })),
  size: Type.Optional(Type.String({ description: 'Pixels, 64 to 2048; 290 where absent.' })),
})
export type QrQuery = Static<typeof QrQuery>

export const SandboxPayBody = Type.Object(
  {
    outcome: optional(
      Type.Enum(['completed', 'insufficient_balance', 'error'], {
        description: 'What becomes of it; `completed` where absent.',
      }),
    ),
    donation_amount: optional(
      Type.Number({ minimum: 0, description: 'What the payer adds for charity.', examples: [0.5] }),
    ),
  },
  { title: 'SandboxPayBody' },
)
export type SandboxPayBody = Static<typeof SandboxPayBody>
