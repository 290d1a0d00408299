import { ChangeLinkBody, CreateLinkBody, Link, LinkListQuery } from '@florin/contract/links.js'
import { Balance, Quote, QuoteQuery, Store } from '@florin/contract/merchant.js'
import {
  CreatedPayment,
  CreatePaymentBody,
  PaymentDetails,
  PaymentListQuery,
  PaymentStatus,
  ProductInput,
  Refund,
  RequestAmount,
  SandboxPayBody,
  StoreProfile,
} from '@florin/contract/payments.js'
import {
  Event,
  EventsQuery,
  PaymentWebhooks,
  ResendEventsBody,
  ResentEvent,
  ResentEvents,
} from '@florin/contract/webhooks.js'
import type { Kind, NamedSchema } from './model.ts'

const { attempts } = PaymentWebhooks.properties.events.items.properties

/** Sets of values with a name. */
export const VALUES: readonly NamedSchema[] = [
  { name: 'PaymentStatus', schema: PaymentDetails.properties.status },
  { name: 'Mode', schema: Store.properties.mode },
  { name: 'EventType', schema: Event.properties.type },
  { name: 'LinkState', schema: Link.properties.state },
]

export const RESPONSES: readonly NamedSchema[] = [
  ...VALUES,
  { name: 'CreatedPayment', schema: CreatedPayment.properties.data },
  { name: 'StatusOf', schema: PaymentStatus },
  { name: 'StoreProfile', schema: StoreProfile },
  { name: 'RequestAmount', schema: RequestAmount },
  { name: 'Payment', schema: PaymentDetails },
  { name: 'Link', schema: Link },
  { name: 'Refund', schema: Refund },
  { name: 'Balance', schema: Balance },
  { name: 'Quote', schema: Quote },
  { name: 'Store', schema: Store },
  { name: 'DeliveryAttempt', schema: attempts.items },
  { name: 'PaymentWebhook', schema: PaymentWebhooks.properties.events.items },
  { name: 'StoredEvent', schema: Event },
  { name: 'Redelivered', schema: ResentEvent },
  { name: 'RedeliveredEvents', schema: ResentEvents },
]

const TIME: Kind = { is: 'time' }
const AMOUNT: Kind = { is: 'amount' }
const period = { created_from: TIME, created_to: TIME }

export const PARAMS: readonly NamedSchema[] = [
  { name: 'Product', schema: ProductInput },
  { name: 'CreateParams', schema: CreatePaymentBody },
  {
    name: 'ListParams',
    schema: PaymentListQuery,
    fields: { ...period, status: { is: 'named', name: 'PaymentStatus' } },
  },
  { name: 'CreateLinkParams', schema: CreateLinkBody, fields: { expires_at: TIME } },
  { name: 'UpdateLinkParams', schema: ChangeLinkBody, fields: { expires_at: TIME } },
  { name: 'LinkListParams', schema: LinkListQuery, fields: { active: { is: 'boolean' } } },
  { name: 'EventListParams', schema: EventsQuery, fields: { from: TIME, to: TIME } },
  { name: 'QuoteParams', schema: QuoteQuery, fields: { amount: AMOUNT } },
  { name: 'TimeWindow', schema: ResendEventsBody, fields: period },
  { name: 'SandboxPayParams', schema: SandboxPayBody },
]
