import { Link } from '@florin/contract/links.js'
import { Balance, Quote, Store } from '@florin/contract/merchant.js'
import {
  CreatedPayment,
  PaymentDetails,
  Refund,
  RequestAmount,
  StoreProfile,
} from '@florin/contract/payments.js'
import { Event, PaymentWebhooks, ResentEvent, ResentEvents } from '@florin/contract/webhooks.js'

const { items } = PaymentWebhooks.properties.events

/** The responses for which the SDK and the other clients have types. */
export const RESPONSE_SCHEMAS = [
  { name: 'PaymentStatus', schema: PaymentDetails.properties.status },
  { name: 'Mode', schema: Link.properties.mode },
  { name: 'EventType', schema: Event.properties.type },
  { name: 'LinkState', schema: Link.properties.state },
  { name: 'CreatedPayment', schema: CreatedPayment.properties.data },
  { name: 'StoreProfile', schema: StoreProfile },
  { name: 'RequestAmount', schema: RequestAmount },
  { name: 'Payment', schema: PaymentDetails },
  { name: 'Link', schema: Link },
  { name: 'Refund', schema: Refund },
  { name: 'Balance', schema: Balance },
  { name: 'Quote', schema: Quote },
  { name: 'Store', schema: Store },
  { name: 'DeliveryAttempt', schema: items.properties.attempts.items },
  { name: 'PaymentWebhook', schema: items },
  { name: 'StoredEvent', schema: Event },
  { name: 'Redelivered', schema: ResentEvent },
  { name: 'RedeliveredEvents', schema: ResentEvents },
]
