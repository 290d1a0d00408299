import { PaymentIdParams } from '@florin/contract/payments.js'
import {
  EventList,
  EventsQuery,
  PaymentWebhooks,
  ResendEventsBody,
  ResentEvent,
  ResentEvents,
} from '@florin/contract/webhooks.js'
import { readEvents } from '../../ops/readEvents.ts'
import { resendWindow } from '../../ops/resendEvents.ts'
import type { Merchant } from '../kit/authenticate.ts'
import { inFieldOrder, schemaProblems } from '../kit/http/validation.ts'
import { pageOf, pageQuery } from '../kit/paging.ts'
import {
  eventView,
  formatEventPosition,
  listPaymentWebhooks,
  parseEventPosition,
  resendLatestEvent,
} from '../kit/payment/webhooks.ts'
import { refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function webhookRoutes(route: DeclareRoute<Merchant>): void {
  const tag = 'Webhooks'

  route('GET /merchant/payment/:paymentId/webhooks', {
    operationId: 'listPaymentWebhooks',
    summary: 'List the webhooks of a payment',
    description:
      'Lists every event of a payment with its latest delivery attempts and the next retry.',
    tag,
    scope: 'read',
    params: PaymentIdParams,
    data: PaymentWebhooks,
    handler: listPaymentWebhooks,
  })

  route('GET /merchant/events', {
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'Lists events in the mode of the API key, oldest first, with or without a `webhook_url`.',
    tag,
    scope: 'read',
    query: EventsQuery,
    data: EventList,
    hasOwnChecks: true,
    handler: getEvents,
  })

  route('POST /merchant/payment/:paymentId/webhooks/redeliver', {
    operationId: 'redeliverWebhook',
    summary: 'Resend the latest webhook of a payment',
    description:
      'Resends the event immediately under the same id, even if it was delivered or is no longer retried. A payment without a `webhook_url` is refused. A body is ignored.',
    tag,
    scope: 'create',
    params: PaymentIdParams,
    ignoresBody: true,
    data: ResentEvent,
    errors: [409],
    handler: resendLatestEvent,
  })

  route('POST /merchant/events/redeliver', {
    operationId: 'redeliverEvents',
    summary: 'Resend the events of a period',
    description:
      'Use this after your server was down. Each event keeps its id. Events without a `webhook_url`, and those whose body is no longer stored, are neither sent nor counted.',
    tag,
    scope: 'create',
    body: ResendEventsBody,
    data: ResentEvents,
    hasOwnChecks: true,
    handler: resendEvents,
  })
}

type ResendCall = Call<Merchant, { body: ResendEventsBody; data: ResentEvents }>

async function resendEvents({ service, caller, body, request, reply }: ResendCall) {
  const problems = schemaProblems(request)
  if (problems.some((problem) => problem.field === 'body')) return refuseInvalid(reply, problems)
  const { time } = pageQuery(body, problems)
  const from = time('created_from')
  const to = time('created_to')
  if (from === null || to === null || problems.length > 0) {
    return refuseInvalid(reply, inFieldOrder(Object.keys(ResendEventsBody.properties), problems))
  }
  if (from >= to) return refuseField(reply, 'created_to', 'must be after created_from')
  const { storeId } = caller.store
  const events = await resendWindow(service.database, { storeId, mode: caller.mode, from, to })
  service.dispatcher.wake()
  return succeed(reply, 'Events are being resent', { events })
}

type EventsCall = Call<Merchant, { query: EventsQuery; data: EventList }>

async function getEvents({ service, caller, query, request, reply }: EventsCall) {
  const problems = schemaProblems(request)
  const page = pageQuery(query, problems)
  const from = page.time('from')
  const to = page.time('to')
  const after = page.cursor(parseEventPosition)
  if (problems.length > 0) {
    return refuseInvalid(reply, inFieldOrder(Object.keys(EventsQuery.properties), problems))
  }
  const { by = 'created_at' } = query
  const { store, mode } = caller
  const filter = { store, mode, by, to, after, from: from ?? new Date(0), limit: page.limit + 1 }
  const found = await service.readOfStore(store.storeId, () =>
    readEvents(service.database, service.outbox, filter),
  )
  const { items, nextCursor } = pageOf(found, page.limit, (last) => formatEventPosition(last, by))
  return succeed(reply, 'Events', {
    events: items.map((event) => ({
      ...eventView(event),
      payment_id: event.paymentId,
      body: event.body,
    })),
    next_cursor: nextCursor,
  })
}
