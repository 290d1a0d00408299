import { ChangeLinkBody, CreateLinkBody, LinkListQuery } from '@florin/contract/links.js'
import { QuoteQuery } from '@florin/contract/merchant.js'
import {
  CreatePaymentBody,
  PaymentListQuery,
  PaymentStatus,
  ProductInput,
} from '@florin/contract/payments.js'
import { SandboxPayBody } from '@florin/contract/sandbox.js'
import { EventsQuery, ResendEventsBody } from '@florin/contract/webhooks.js'
import { RESPONSE_SCHEMAS } from '../../sdk/test/responseSchemas.ts'
import type { Kind, NamedSchema } from './model.ts'

export const RESPONSES: readonly NamedSchema[] = [
  ...RESPONSE_SCHEMAS,
  { name: 'CurrentStatus', schema: PaymentStatus },
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
