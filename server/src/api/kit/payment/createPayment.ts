import { MAX_PRODUCTS } from '@florin/contract/payments.js'
import { type Locale, localeOf } from '@florin/shared/locales.js'
import type { FastifyReply, preValidationHookHandler } from 'fastify'
import type { Breach } from '../../../core/limits.ts'
import { formatMinor } from '../../../core/money.ts'
import {
  CREATE_FIELDS,
  type CreateFields,
  foreignCurrency,
  validateCreate,
} from '../../../core/newPayment.ts'
import type { Payment } from '../../../core/payment.ts'
import type { Store } from '../../../core/store.ts'
import type { CreateResult } from '../../../ops/createPayments.ts'
import { findReplay } from '../../../ops/idempotency.ts'
import type { Merchant } from '../authenticate.ts'
import { localeOfRequest } from '../http/headers.ts'
import { inFieldOrder, schemaProblems } from '../http/validation.ts'
import { idempotencyKeyOf, keyProblem, sendReplayed } from '../idempotency.ts'
import { refuse, refuseField, refuseInvalid, sendJson, sendText } from '../replies.ts'
import type { Call } from '../route.ts'

/** Refuses a request without a JSON body, and drops excess products before validation. */
export const prepareBody: preValidationHookHandler = ({ body }, reply, done) => {
  if (body === undefined) return void refuse(reply, 'unsupported_media_type')
  if (typeof body === 'object' && body !== null) dropExcessProducts(body)
  done()
}

/**
 * Call this before validation: the validator would collect an error for each invalid product. One more than allowed stays, so that
 * the validator still refuses the list.
 */
export function dropExcessProducts(body: { readonly products?: unknown }): void {
  if (Array.isArray(body.products)) body.products.splice(MAX_PRODUCTS + 1)
}

/** The response for a new payment. The locale is that of the body, or of Accept-Language. */
type View = (payment: Payment, store: Store, locale: Locale) => unknown

/**
 * Validates and creates a payment. Routes differ only in the fields that they accept and in `view`. They need
 * `hasOwnChecks`, because the problems that the schema finds are reported together with all others.
 */
export async function createPayment(
  {
    service,
    caller,
    body,
    request,
    reply,
  }: Call<Merchant, { body: CreateFields & { locale?: unknown } }>,
  view: View,
): Promise<FastifyReply> {
  const { store, mode } = caller
  const keyHeaderProblem = keyProblem(request)
  const shapeProblems = schemaProblems(request)
  const isObject = !shapeProblems.some((problem) => problem.field === 'body')
  if (!isObject) return refuseInvalid(reply, shapeProblems)

  const { allowPrivateWebhooks: allowPrivate, webhookPorts: allowedPorts } = service.config
  const currency = foreignCurrency(body, store)
  const rate = currency && (await service.rates.get(`${currency}/${store.currency}`))
  const validated = validateCreate(
    body,
    { store, rate: rate?.rate ?? null, webhookRules: { allowPrivate, allowedPorts } },
    new Set(shapeProblems.map((problem) => problem.field)),
  )
  const problems = inFieldOrder(
    CREATE_FIELDS,
    shapeProblems,
    validated.problems,
    keyHeaderProblem ? [keyHeaderProblem] : [],
  )
  const requested = typeof body.locale === 'string' ? localeOf(body.locale) : null
  const locale = requested ?? localeOfRequest(request)
  const viewOf = (payment: Payment) => view(payment, store, locale)
  const context = { store, viewOf, publicUrl: service.config.publicUrl }
  const idempotencyKey = idempotencyKeyOf(request, (payment) => JSON.stringify(viewOf(payment)))
  if (validated.payment === null || problems.length > 0) {
    // The first response is replayed even if a limit or a rate has changed since.
    const hasKey = idempotencyKey !== null && keyHeaderProblem === null
    const replay = hasKey
      ? await findReplay(service.database, { storeId: store.storeId, mode }, idempotencyKey)
      : null
    return replay === null ? refuseInvalid(reply, problems) : sendCreated(reply, replay, context)
  }
  const { payment } = validated
  const result = await service.createPayment({
    store,
    mode,
    payment,
    idempotencyKey,
    by: caller.actor,
    apiKey: caller.apiKey,
  })
  return sendCreated(reply, result, context)
}

type Context = {
  readonly store: Store
  readonly viewOf: (payment: Payment) => unknown
  readonly publicUrl: string
}

function sendCreated(
  reply: FastifyReply,
  result: CreateResult,
  { store, viewOf, publicUrl }: Context,
) {
  const addLink = (paymentId: string) =>
    reply.header('link', `<${publicUrl}/pay/${paymentId}>; rel="checkout"`)
  switch (result.kind) {
    case 'created':
      addLink(result.payment.paymentId)
      return result.response === null
        ? sendJson(reply, 200, viewOf(result.payment))
        : sendText(reply, 200, result.response)
    case 'replayed': {
      const { data } = JSON.parse(result.response) as { data: { payment_id: string } }
      addLink(data.payment_id)
      return sendReplayed(reply, result.response)
    }
    case 'key_reused':
      return refuse(reply, 'key_reused')
    case 'limit_reached':
      return refuseField(reply, 'amount', limitText(result.breach, store))
    case 'reference_taken':
      return refuseField(reply, 'reference_id', 'belongs to a pending, paid or refunded payment')
  }
}

function limitText({ period, left }: Breach, store: Store): string {
  const name = period === 'day' ? 'daily' : 'monthly'
  const amount = `${formatMinor(left, store.currency)} ${store.currency}`
  return `is above the ${name} limit of the store: ${amount} left`
}
