import { ChangeLinkBody, CreateLinkBody, LinkListQuery } from '@florin/contract/links.js'
import { QuoteQuery } from '@florin/contract/merchant.js'
import {
  CreatePaymentBody,
  PaymentListQuery,
  ProductInput,
  QrQuery,
} from '@florin/contract/payments.js'
import { SandboxPayBody } from '@florin/contract/sandbox.js'
import { EventsQuery, ResendEventsBody } from '@florin/contract/webhooks.js'
import { expect, it } from 'vitest'
import { generateTypes } from './generateTypes.ts'
import { RESPONSE_SCHEMAS } from './responseSchemas.ts'

const HEADER = `// Generated from contract/ by: npx vitest run sdk/test/generated -u
`

it('the types of responses are those of the contract', async () => {
  const text = `${HEADER}
// Responses. Amounts are decimal strings, times are UTC as \`YYYY-MM-DD HH:MM:SS\`; see \`toDate\`.

${generateTypes(RESPONSE_SCHEMAS, { isReadonly: false })}`
  await expect(text).toMatchFileSnapshot('../src/responses.ts')
})

it('the types of requests are those of the contract, with amounts and times that are easy to write', async () => {
  const times = { created_from: 'Time', created_to: 'Time' }
  const types = [
    {
      name: 'Product',
      schema: ProductInput,
      fields: { price: 'Amount' },
    },
    { name: 'CreateParams', schema: CreatePaymentBody, fields: { amount: 'Amount' } },
    { name: 'ListParams', schema: PaymentListQuery, fields: { ...times, status: 'PaymentStatus' } },
    {
      name: 'CreateLinkParams',
      schema: CreateLinkBody,
      fields: { amount: 'Amount', expires_at: 'Time' },
    },
    { name: 'UpdateLinkParams', schema: ChangeLinkBody, fields: { expires_at: 'Time' } },
    { name: 'LinkListParams', schema: LinkListQuery, fields: { active: 'boolean' } },
    { name: 'EventListParams', schema: EventsQuery, fields: { from: 'Time', to: 'Time' } },
    { name: 'QuoteParams', schema: QuoteQuery, fields: { amount: 'Amount' } },
    { name: 'QrQuery', schema: QrQuery },
    { name: 'TimeWindow', schema: ResendEventsBody, fields: times },
    { name: 'SandboxPayParams', schema: SandboxPayBody, fields: { donation_amount: 'string' } },
  ]
  const text = `${HEADER}import type { Amount } from './amounts.ts'
import type { PaymentStatus } from './responses.ts'

// Requests.

/** A Date, or a string: YYYY-MM-DD HH:MM:SS in UTC, as in responses, or ISO 8601. */
export type Time = string | Date

${generateTypes(types, { isReadonly: true })}`
  await expect(text).toMatchFileSnapshot('../src/requests.ts')
})
