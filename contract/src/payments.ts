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
  integerQuery,
  limitQuery,
  locale,
  money,
  note,
  nullable,
  openObjectOrNull,
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
    description: 'The id of the payment: `pay_` and 26 characters.',
    examples: ['pay_06gxt709g80000ba9e0bf4rx72'],
  })

const StatusValue = Type.Enum(STATUSES, { description: 'The status of the payment.' })

const ClientInput = Type.Object(
  {
    name: described(text(255), "The customer's name."),
    email: described(email(), "The customer's email address."),
    phone: described(text(32), "The customer's phone number, stored as sent."),
    phone_dial_code: optional(
      described(dialCode(), 'Country calling code, 1 to 4 digits with or without `+`.'),
    ),
  },
  { title: 'ClientInput', description: 'The customer, for your own records.' },
)

export const ProductInput = Type.Object(
  {
    name: described(text(255), 'Name of the product.'),
    quantity: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of units.',
    }),
    price: Type.Number({ minimum: 0, description: 'Price of one unit, in `currency`.' }),
  },
  { title: 'ProductInput' },
)

export const CreatePaymentBody = Type.Object(
  {
    amount: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Amount to charge. At most 12 integer digits, and as many decimals as the currency has.',
      examples: [12.5],
    }),
    currency: described(
      currency(),
      "ISO 4217 code. If it is not the store's currency, the amount is converted at the operator's rate.",
    ),
    client: optional(ClientInput),
    products: optional(
      Type.Array(ProductInput, {
        maxItems: MAX_PRODUCTS,
        description: 'Products, shown to the payer. Their prices need not add up to `amount`.',
      }),
    ),
    payload: optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'Custom data, at most 16 KiB of JSON.',
      }),
    ),
    reference_id: optional(described(note(255), 'Your order id. You can filter lists by it.')),
    reference_note: optional(described(note(1000), 'A note that is shown to the payer.')),
    webhook_url: optional(
      Type.String({
        maxLength: 2048,
        description:
          'URL that events of the payment are posted to; https, unless the operator also allows http.',
        examples: ['https://shop.example/hook'],
      }),
    ),
    return_url: optional(
      Type.String({
        maxLength: 2048,
        description:
          'URL that the checkout page links to afterwards, with `payment_id` and `status` added to the query; http or https.',
        examples: ['https://shop.example/thanks'],
      }),
    ),
    expires_in: optional(
      Type.Integer({
        minimum: 60,
        maximum: 86400,
        description:
          "Seconds until the payment expires. By default the store's setting, initially 900.",
      }),
    ),
    locale: optional(
      described(locale(), 'Language of the instructions. By default Accept-Language decides.'),
    ),
  },
  { title: 'CreatePaymentBody' },
)
export type CreatePaymentBody = Static<typeof CreatePaymentBody>

export const CreatedPayment = Type.Object(
  {
    message: string('A message for people.'),
    data: Type.Object(
      {
        payment_id: paymentId(),
        qr_code: Type.String({
          pattern: '^[0-9]{27}$',
          description: 'The 27 digits of the payment code. Show them as a QR code or as text.',
        }),
        instructions: string('Instructions for the payer, a fragment of safe HTML.'),
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

export const StoreProfile = Type.Object(
  {
    name: string('Name of the store.'),
    logo: string('URL of an image.'),
    domain: string('Website of the store, or empty.'),
    email: string('Email address of the store, or empty.'),
    phone: string('Phone number of the store, or empty.'),
  },
  { title: 'StoreProfile', description: 'The store as payers see it.' },
)
export type StoreProfile = Static<typeof StoreProfile>

export const RequestAmount = Type.Object(
  {
    amount: money('The amount of the request.'),
    currency: currencyCode('The currency of the request.'),
    conversion_rate: Type.String({
      pattern: '^\\d+\\.\\d{4}$',
      description: "The value of one unit in the store's currency.",
    }),
  },
  { title: 'RequestAmount', description: 'The requested amount, before conversion.' },
)
export type RequestAmount = Static<typeof RequestAmount>

export const PaymentProduct = Type.Object(
  {
    name: string('Name of the product.'),
    quantity: integer('Number of units.'),
    price: money('Price of one unit, in the currency of the request.'),
  },
  { title: 'PaymentProduct' },
)
export type PaymentProduct = Static<typeof PaymentProduct>

const Client = Type.Object(
  {
    name: string("The customer's name."),
    email: string("The customer's email address."),
    phone_dial_code: nullable(string('Country calling code, as you sent it.')),
    phone: string("The customer's phone number."),
  },
  { title: 'Client', description: 'The customer, as you sent it.' },
)

const Payer = Type.Object(
  {
    id: integer("The wallet's number."),
    name: string("The payer's name."),
    email: string("The payer's email address."),
    phone: string("The payer's phone number."),
    wallet_id: string("The wallet's id."),
  },
  { title: 'Payer', description: 'The payer. Null until the payment is completed.' },
)

const LatestWebhook = Type.Object(
  {
    url: string('Your `webhook_url`.'),
    called_at: nullable(wireTime('Time of the latest attempt, UTC.')),
    response: openObjectOrNull(
      'The result of the latest attempt: `{status_code, body}`, or `{error}`.',
    ),
  },
  { title: 'LatestWebhook', description: 'The webhook. Null if you set no `webhook_url`.' },
)

export const RefundSummary = Type.Object(
  {
    refund_amount: money('The amount that the payer received.'),
    refund_fee: money('The refund fee: gross minus the refund amount.'),
    refunded_at: wireTime('Time of the refund, UTC.'),
  },
  { title: 'RefundSummary', description: 'The refund. Null if the payment is not refunded.' },
)

export const PaymentDetails = Type.Object(
  {
    payment_id: paymentId(),
    qr_code: string('The 27 digits of the payment code. Show them as a QR code or as text.'),
    amount: money('Net amount, which the store receives: gross minus the transaction fee.'),
    transaction_fee: money('The fee that the service keeps.'),
    donation_amount: money('The donation that the payer added.'),
    currency: currencyCode(
      "The store's currency. All amounts except `request_amount` and the prices of `products` are in this currency.",
    ),
    status: StatusValue,
    created_at: wireTime('Time of creation, UTC.'),
    is_sandbox_transaction: boolean('True for a sandbox payment.'),
    client: nullable(Client),
    user: nullable(Payer),
    store: StoreProfile,
    webhook: nullable(LatestWebhook),
    reference: Type.Object(
      {
        id: nullable(string('Your `reference_id`.')),
        note: nullable(string('Your `reference_note`.')),
      },
      { description: 'Your own references.' },
    ),
    request_amount: RequestAmount,
    payload: openObjectOrNull('Your custom data, as you sent it.'),
    products: Type.Array(PaymentProduct, { description: 'The products. May be empty.' }),
    expires_at: wireTime('Time when a pending payment expires, UTC.'),
    refund: nullable(RefundSummary),
    link_id: nullable(
      string('The link that the payer used. Null if you created the payment yourself.'),
    ),
  },
  { title: 'PaymentDetails', description: 'All details of a payment.' },
)
export type PaymentDetails = Static<typeof PaymentDetails>

export const PaymentStatus = Type.Object(
  { payment_id: paymentId(), status: StatusValue },
  { title: 'PaymentStatus', description: 'A payment and its status.' },
)
export type PaymentStatus = Static<typeof PaymentStatus>

/** The only error body with `status_code` instead of `status`. */
export const StatusNotFound = Type.Object(
  {
    status_code: Type.Literal(404, { description: 'The HTTP status.' }),
    message: string('A message for people.'),
  },
  { title: 'StatusNotFound', description: 'The payment was not found' },
)
export type StatusNotFound = Static<typeof StatusNotFound>

export const Refund = Type.Object(
  {
    payment_id: paymentId(),
    refund_amount: money('The amount that the payer receives.'),
    refund_fee: money('The refund fee: gross minus the refund amount.'),
    status: Type.Literal('refunded', { description: 'The status of the payment.' }),
    refunded_at: wireTime('Time of the refund, UTC.'),
  },
  { title: 'Refund', description: 'The refund.' },
)
export type Refund = Static<typeof Refund>

export const StatusQuery = Type.Object({
  wait: integerQuery({
    minimum: 0,
    maximum: 60,
    unit: 'seconds',
    description:
      'Seconds to wait for a change. At most 100 requests can wait for one payment, and 5,000 from one address; more get 503.',
  }),
})
export type StatusQuery = Static<typeof StatusQuery>

export const PaymentListQuery = Type.Object({
  status: Type.Optional(
    described(StatusValue, 'Only payments with this status. An overdue payment is expired.'),
  ),
  reference_id: Type.Optional(described(note(255), 'Only payments with this `reference_id`.')),
  link_id: Type.Optional(described(note(64), 'Only payments made by this link.')),
  created_from: fromQuery(),
  created_to: toQuery(),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type PaymentListQuery = Static<typeof PaymentListQuery>

export const PaymentList = Type.Object(
  {
    payments: Type.Array(PaymentDetails, { description: 'Payments, newest first.' }),
    next_cursor: nullable(
      string(
        'Pass it as `cursor` to get the next page. Null on the last page. With a filter, a page can have few or no payments and still not be the last.',
      ),
    ),
  },
  { title: 'PaymentList', description: 'One page of payments.' },
)
export type PaymentList = Static<typeof PaymentList>

export const QrQuery = Type.Object({
  format: Type.Optional(Type.Enum(['svg', 'png'], { default: 'svg', description: 'File format.' })),
  size: integerQuery({
    minimum: 64,
    maximum: 2048,
    default: 290,
    description: 'Width and height in pixels.',
  }),
})
export type QrQuery = Static<typeof QrQuery>
