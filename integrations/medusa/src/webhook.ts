import { type Florin, NotFoundError, WebhookVerificationError, webhooks } from '@florin/sdk'
import type {
  BigNumberInput,
  Logger,
  ProviderWebhookPayload,
  WebhookActionResult,
} from '@medusajs/framework/types'
import { MathBN, PaymentActions } from '@medusajs/framework/utils'
import { isSameAmount } from './amounts.js'
import { paymentIdOf, sessionIdOf, WEBHOOK_ACTION } from './sessionData.js'

export type Session = {
  readonly id: string
  readonly amount: BigNumberInput
  readonly currency_code: string
  readonly data: Record<string, unknown>
}

/** The payment sessions in the container of Medusa's payment module. */
export type SessionStore = {
  list(
    filters: { readonly id: string },
    config: { readonly select: readonly (keyof Session)[] },
  ): Promise<readonly Session[]>
}

type Dependencies = {
  readonly secret: string
  readonly florin: Florin
  readonly sessions: SessionStore
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Medusa queues a delivery, and its worker may be down for longer than the tolerance of the SDK. An old delivery that is
 * sent again does no harm, because the current state of the payment decides.
 */
const ANY_AGE = { toleranceSeconds: Number.POSITIVE_INFINITY }

/**
 * Verifies a delivery and returns what Medusa should do, with the amount of the session. Events may be repeated and may arrive
 * in any order, so the current state of the payment decides. A delivery that is not genuine, that doesn't match a session, or
 * that needs no action is logged and ignored. Other errors, such as no connection to Florin, are thrown, so that the event bus
 * can retry.
 */
export async function determineWebhookAction(
  { rawData, headers }: ProviderWebhookPayload['payload'],
  { secret, florin, sessions, logger }: Dependencies,
): Promise<WebhookActionResult> {
  const ignore = (what: string, reason: string) => {
    logger.warn(`Florin: ${what} is ignored: ${reason}`)
    return { action: PaymentActions.NOT_SUPPORTED }
  }
  const event = await webhooks
    .constructEvent(rawData, headers as Record<string, string>, secret, ANY_AGE)
    .catch((error: unknown) => {
      if (error instanceof WebhookVerificationError) return error
      throw error
    })
  if (event instanceof Error) return ignore('a webhook', event.message)
  const name = `${event.type} of ${event.data.payment_id}`
  const payment = await florin.payments.retrieve(event.data.payment_id).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null
    throw error
  })
  if (payment === null) return ignore(name, 'the API key of this shop has no such payment')
  const sessionId = sessionIdOf(payment)
  if (sessionId === null) return ignore(name, 'Medusa did not create this payment')
  const [session] = await sessions.list(
    { id: sessionId },
    { select: ['id', 'amount', 'currency_code', 'data'] },
  )
  if (session === undefined) return ignore(name, `there is no payment session ${sessionId}`)
  if (paymentIdOf(session.data) !== payment.payment_id) {
    return ignore(name, `session ${sessionId} has another payment`)
  }
  if (!isSameAmount(session.amount, session.currency_code, payment.request_amount)) {
    const { amount, currency } = payment.request_amount
    return ignore(name, `its amount is ${amount} ${currency}, not that of session ${sessionId}`)
  }
  const action = WEBHOOK_ACTION[payment.status]
  if (action === PaymentActions.NOT_SUPPORTED) return ignore(name, `it is now ${payment.status}`)
  return { action, data: { session_id: session.id, amount: MathBN.convert(session.amount) } }
}
