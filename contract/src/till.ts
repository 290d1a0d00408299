import {
  MAX_ITEM_NAME_LENGTH,
  MAX_QUICK_ITEMS,
  MAX_TIP_PERCENT,
  MAX_TIPS,
} from '@florin/shared/till.js'
import Type, { type Static } from 'typebox'
import { decimal, described, email, listOf, money, string, text } from './fields.ts'
import { paymentId } from './payments.ts'

const QuickItem = Type.Object(
  {
    name: string('The name on the button and on the receipt.'),
    price: money("The price of one unit, in the store's currency."),
  },
  { title: 'QuickItem', description: 'An item that the till sells with one tap.' },
)

const QuickItemInput = Type.Object(
  {
    name: described(
      text(MAX_ITEM_NAME_LENGTH),
      'The name on the button and on the receipt. Unique.',
    ),
    price: described(decimal(), "The price of one unit, in the store's currency. Above zero."),
  },
  { title: 'QuickItemInput' },
)

const tipPercentages = () =>
  Type.Array(Type.Integer({ minimum: 1, maximum: MAX_TIP_PERCENT }), {
    maxItems: MAX_TIPS,
    uniqueItems: true,
    description:
      'The tips that the customer can choose from, in percent. If empty, the till asks for no tip.',
    examples: [[10, 15, 20]],
  })

export const TillSettings = Type.Object(
  {
    items: listOf(QuickItem, 'Quick items, in the order of their buttons.'),
    tip_percentages: tipPercentages(),
  },
  { title: 'TillSettings', description: 'The quick items and tips of the till.' },
)
export type TillSettings = Static<typeof TillSettings>

export const TillSettingsBody = Type.Object(
  {
    items: Type.Optional(
      Type.Array(QuickItemInput, {
        maxItems: MAX_QUICK_ITEMS,
        description: 'All quick items, in the order of their buttons. They replace the old ones.',
      }),
    ),
    tip_percentages: Type.Optional(tipPercentages()),
  },
  { title: 'TillSettingsBody' },
)
export type TillSettingsBody = Static<typeof TillSettingsBody>

export const ReceiptBody = Type.Object(
  { email: described(email(), 'The address that the receipt is sent to.') },
  { title: 'ReceiptBody' },
)
export type ReceiptBody = Static<typeof ReceiptBody>

export const SentReceipt = Type.Object(
  { payment_id: paymentId() },
  { title: 'SentReceipt', description: 'The payment whose receipt will be sent.' },
)
export type SentReceipt = Static<typeof SentReceipt>

export const PaymentRequestBody = Type.Object(
  { email: described(email(), 'The address that the request is sent to.') },
  { title: 'PaymentRequestBody' },
)
export type PaymentRequestBody = Static<typeof PaymentRequestBody>

export const SentPaymentRequest = Type.Object(
  { payment_id: paymentId() },
  { title: 'SentPaymentRequest', description: 'The payment whose request will be sent.' },
)
export type SentPaymentRequest = Static<typeof SentPaymentRequest>
