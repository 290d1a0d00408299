import type { PaymentWebhooks, ResentEvent } from '@florin/contract/webhooks.js'
import { parseTime, wireTime } from '../../../core/calendar.ts'
import { isEmptied } from '../../../core/erasure.ts'
import type { PaymentKey } from '../../../core/payment.ts'
import { eventIdOf } from '../../../core/webhook.ts'
import { readWebhooks } from '../../../ops/deliveries.ts'
import { resendLatest } from '../../../ops/resendEvents.ts'
import type { AttemptRow, DeliveryState } from '../../../sql/deliveries.ts'
import type { EventPosition, PaymentEvent } from '../../../sql/events.ts'
import type { Merchant } from '../authenticate.ts'
import { refuse, succeed } from '../replies.ts'
import type { Call } from '../route.ts'
import { findPaymentKey, type PaymentCallTypes } from './payments.ts'

export async function listPaymentWebhooks(call: Call<Merchant, PaymentCallTypes<PaymentWebhooks>>) {
  const key = await findPaymentKey(call)
  if (key === null) return refuse(call.reply, 'payment_unknown')
  return call.service.readOfStore(key.storeId, () => sendWebhooks(call, key))
}

type WebhookCall = Pick<Call<unknown, { data: PaymentWebhooks }>, 'service' | 'reply'>

export async function sendWebhooks({ service, reply }: WebhookCall, key: PaymentKey) {
  const { events, deliveries, attempts } = await readWebhooks(service.database, key)
  return succeed(reply, 'Webhooks', {
    events: events.map((event) => eventWithAttempts(event, deliveries, attempts)),
  })
}

export async function resendLatestEvent(call: Call<Merchant, PaymentCallTypes<ResentEvent>>) {
  const { service, caller, reply } = call
  const key = await findPaymentKey(call)
  if (key === null) return refuse(reply, 'payment_unknown')
  const event = await resendLatest(service.database, key, caller.actor)
  if (event === null) return refuse(reply, 'no_event')
  if (event.url === null) return refuse(reply, 'no_webhook_url')
  if (isEmptied(event)) return refuse(reply, 'event_redacted')
  service.dispatcher.wake()
  return succeed(reply, 'Webhook is being resent', {
    id: eventIdOf(event.paymentId, event.sequence),
    type: event.type,
  })
}

export function eventView(event: Omit<PaymentEvent, 'body'>) {
  return {
    id: eventIdOf(event.paymentId, event.sequence),
    type: event.type,
    sequence: event.sequence,
    created_at: wireTime(event.createdAt),
    resent_at: event.resentAt && wireTime(event.resentAt),
  }
}

export const attemptView = (attempt: AttemptRow) => ({
  at: wireTime(attempt.at),
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
  body: attempt.responseBody,
})

function eventWithAttempts(
  event: PaymentEvent,
  deliveries: readonly DeliveryState[],
  attempts: readonly AttemptRow[],
) {
  const delivery = deliveries.find(({ sequence }) => sequence === event.sequence)
  return {
    ...eventView(event),
    url: event.url,
    state: stateOf(event, delivery),
    next_attempt_at: delivery?.dueAt ? wireTime(delivery.dueAt) : null,
    attempts: attempts.filter((attempt) => attempt.sequence === event.sequence).map(attemptView),
  }
}

function stateOf(
  event: PaymentEvent,
  delivery: DeliveryState | undefined,
): PaymentWebhooks['events'][number]['state'] {
  if (event.url === null) return 'not_wanted'
  if (delivery === undefined) return 'delivered'
  return delivery.dueAt === null ? 'exhausted' : 'waiting'
}

type EventOrder = 'created_at' | 'resent_at'

export function formatEventPosition(event: Omit<PaymentEvent, 'body'>, by: EventOrder): string {
  const at = by === 'created_at' ? event.createdAt : event.resentAt!
  return `${at.toISOString()}~${event.paymentId}~${event.sequence}`
}

export function parseEventPosition(cursor: string): EventPosition | null {
  const match = /^([0-9TZ:.-]{20,30})~(pay_[0-9a-z]{26})~([12])$/.exec(cursor)
  const at = match && parseTime(match[1]!)
  return at && match ? { at, paymentId: match[2]!, sequence: Number(match[3]) } : null
}
