import { answer, errors } from '@florin/contract/common.js'
import { PaymentIdParams } from '@florin/contract/payments.js'
import {
  EventList,
  EventsQuery,
  PaymentWebhooks,
  ResendEventsBody,
  ResentEvent,
  ResentEvents,
} from '@florin/contract/webhooks.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseTime, wireTime } from '../../core/calendar.ts'
import { isEmptied } from '../../core/erasure.ts'
import { eventIdOf } from '../../core/webhook.ts'
import { readWebhooks } from '../../ops/readWebhooks.ts'
import { redeliverLatest, redeliverWindow } from '../../ops/redeliver.ts'
import type { Service } from '../../service.ts'
import type { AttemptRow, DeliveryState } from '../../sql/deliveries.ts'
import { type EventPosition, listEvents, type PaymentEvent } from '../../sql/events.ts'
import { WEBHOOK_DOCS } from '../kit/audiences.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { acceptAnything, acceptJson } from '../kit/bodies.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { pageQuery } from '../kit/paging.ts'
import { knownPayment } from '../kit/payments.ts'
import { schemaProblems } from '../kit/validation.ts'

const docs = WEBHOOK_DOCS

/** What was told to the merchant's server, and telling it again. */
export async function webhookRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.get(
    '/merchant/payment/:paymentId/webhooks',
    {
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'listPaymentWebhooks',
        summary: 'Every event of a payment with every attempt to deliver it',
        description: 'What your server was sent, what it answered, and when it is tried again.',
        params: PaymentIdParams,
        response: { 200: answer(PaymentWebhooks), ...errors() },
      },
    },
    (request, reply) => readPaymentWebhooks(service, request, reply),
  )

  app.get(
    '/merchant/events',
    {
      attachValidation: true,
      config: { scope: 'read' },
      schema: {
        ...docs,
        operationId: 'listEvents',
        summary: 'What became of payments, in order of time',
        description: 'Every event of the store, whether or not it had a `webhook_url`.',
        querystring: EventsQuery,
        response: { 200: answer(EventList), ...errors(400) },
      },
    },
    (request, reply) => getEvents(service, request, reply),
  )

  await app.register(async (bodyless) => {
    acceptAnything(bodyless)
    bodyless.post(
      '/merchant/payment/:paymentId/webhooks/redeliver',
      {
        config: { scope: 'create' },
        schema: {
          ...docs,
          operationId: 'redeliverWebhook',
          summary: 'Send the latest event of a payment again, now, under the same id',
          description:
            'Works for events that were delivered and for events that are no longer retried. A payment without a `webhook_url` is refused. A body is ignored.',
          params: PaymentIdParams,
          response: { 200: answer(ResentEvent), ...errors(409, 413) },
        },
      },
      (request, reply) => redeliverPayment(service, request, reply),
    )
  })

  await app.register(async (json) => {
    acceptJson(json)
    json.post(
      '/merchant/events/redeliver',
      {
        attachValidation: true,
        config: { scope: 'create' },
        schema: {
          ...docs,
          operationId: 'redeliverEvents',
          summary: 'Send every event of a window of time again',
          description:
            'Use this after your server was down. Each event keeps its id. Events without a `webhook_url` are neither sent nor counted.',
          body: ResendEventsBody,
          response: { 200: answer(ResentEvents), ...errors(400, 413, 415) },
        },
      },
      (request, reply) => redeliverEvents(service, request, reply),
    )
  })
}

export async function readPaymentWebhooks(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = await knownPayment(service, request)
  if (key === null) return refuse(reply, 'payment_unknown')
  const { events, deliveries, attempts } = await readWebhooks(service.database, key)
  return succeed(reply, 'Webhooks', {
    events: events.map((event) => eventWithAttempts(event, deliveries, attempts)),
  })
}

export async function redeliverPayment(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = await knownPayment(service, request)
  if (key === null) return refuse(reply, 'payment_unknown')
  const event = await redeliverLatest(service.database, key, request.actor)
  if (event === null) return refuse(reply, 'no_event')
  if (event.url === null) return refuse(reply, 'no_webhook_url')
  if (isEmptied(event)) return refuse(reply, 'event_redacted')
  service.dispatcher.wake()
  return succeed(reply, 'Webhook is being sent again', {
    id: eventIdOf(event.paymentId, event.sequence),
    type: event.type,
  })
}

export function eventHead(event: Omit<PaymentEvent, 'body'>) {
  return {
    id: eventIdOf(event.paymentId, event.sequence),
    type: event.type,
    sequence: event.sequence,
    created_at: wireTime(event.createdAt),
    resent_at: event.resentAt && wireTime(event.resentAt),
  }
}

function eventWithAttempts(
  event: PaymentEvent,
  deliveries: readonly DeliveryState[],
  attempts: readonly AttemptRow[],
) {
  const delivery = deliveries.find((one) => one.sequence === event.sequence)
  return {
    ...eventHead(event),
    url: event.url,
    state: stateOf(event, delivery),
    next_attempt_at: delivery?.dueAt ? wireTime(delivery.dueAt) : null,
    attempts: attempts.filter((attempt) => attempt.sequence === event.sequence).map(attemptView),
  }
}

export const attemptView = (attempt: AttemptRow) => ({
  at: wireTime(attempt.at),
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
  body: attempt.answer,
})

function stateOf(event: PaymentEvent, delivery: DeliveryState | undefined): string {
  if (event.url === null) return 'not_wanted'
  if (delivery === undefined) return 'delivered'
  return delivery.dueAt === null ? 'exhausted' : 'waiting'
}

type EventFields = {
  by?: 'created_at' | 'resent_at'
  from?: string
  to?: string
  limit?: string
  cursor?: string
}

async function getEvents(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const query = request.query as EventFields
  const problems = schemaProblems(request)
  const page = pageQuery(query, problems)
  const [from, to] = [page.time('from'), page.time('to')]
  const limit = page.limit()
  const after = page.cursor(parsePosition)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { store, mode } = merchantOf(request)
  const { storeId } = store
  const by = query.by ?? 'created_at'
  const found = await listEvents(service.database, {
    storeId,
    mode,
    by,
    to,
    after,
    from: from ?? new Date(0),
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return succeed(reply, 'Events', {
    events: shown.map((event) => ({
      ...eventHead(event),
      payment_id: event.paymentId,
      body: event.body,
    })),
    next_cursor: last && found.length > limit ? formatPosition(last, by) : null,
  })
}

export function formatPosition(
  event: Omit<PaymentEvent, 'body'>,
  by: 'created_at' | 'resent_at',
): string {
  const at = by === 'created_at' ? event.createdAt : event.resentAt!
  return `${at.toISOString()}~${event.paymentId}~${event.sequence}`
}

export function parsePosition(cursor: string): EventPosition | null {
  const match = /^([0-9TZ:.-]{20,30})~(pay_[0-9a-z]{26})~([12])$/.exec(cursor)
  const at = match && parseTime(match[1]!)
  return at && match ? { at, paymentId: match[2]!, sequence: Number(match[3]) } : null
}

async function redeliverEvents(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const problems = schemaProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const fields = request.body as { created_from: string; created_to: string }
  const [from, to] = [parseTime(fields.created_from), parseTime(fields.created_to)]
  if (from === null)
    problems.push({ field: 'created_from', message: 'created_from must be a time' })
  if (to === null) problems.push({ field: 'created_to', message: 'created_to must be a time' })
  if (from !== null && to !== null && from >= to) {
    problems.push({ field: 'created_to', message: 'created_to must be after created_from' })
  }
  if (problems.length > 0 || from === null || to === null) return refuseInvalid(reply, problems)
  const { store, mode } = merchantOf(request)
  const { storeId } = store
  const events = await redeliverWindow(service.database, { storeId, mode, from, to })
  service.dispatcher.wake()
  return succeed(reply, 'Events are being sent again', { events })
}
