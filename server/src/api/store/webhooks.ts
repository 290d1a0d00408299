import {
  ResendWebhooksBody,
  ResentWebhooks,
  WEBHOOK_FILTERS,
  WebhookLog,
  WebhookLogQuery,
} from '@florin/contract/developers.js'
import { ModeParams, StorePaymentParams } from '@florin/contract/store.js'
import { PaymentWebhooks, ResentEvent } from '@florin/contract/webhooks.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { parsePaymentId } from '../../core/ids.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import { parseEventId } from '../../core/webhook.ts'
import { inReportTransaction } from '../../ops/reportTransaction.ts'
import { countSendable, resendEvents } from '../../ops/resendEvents.ts'
import type { Service } from '../../service.ts'
import { type LoggedEvent, listLoggedEvents } from '../../sql/eventLog.ts'
import type { EventKey, EventPosition } from '../../sql/events.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { type FieldProblem, problemOf, schemaProblems } from '../kit/http/validation.ts'
import { MAX_LIMIT, pageOf, pageQuery } from '../kit/paging.ts'
import {
  eventView,
  formatEventPosition,
  listPaymentWebhooks,
  parseEventPosition,
  resendLatestEvent,
} from '../kit/payment/webhooks.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function webhookRoutes(route: DeclareRoute<PersonInMode>): void {
  route('GET /store/:mode/webhooks', {
    operationId: 'listWebhookLog',
    summary: 'List webhooks',
    description: 'Lists the events of the store with the state of their delivery, newest first.',
    roles: PAGE_ROLES.developers,
    params: ModeParams,
    query: WebhookLogQuery,
    data: WebhookLog,
    hasOwnChecks: true,
    handler: async ({ service, caller, query, request, reply }) => {
      const problems = schemaProblems(request)
      const { limit } = pageQuery(query, problems)
      const filter = filterOf(query, problems)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { events, nextCursor } = await readPage(service, caller, filter, limit)
      return succeed(reply, 'Webhook log', {
        events: events.map(loggedView),
        next_cursor: nextCursor,
      })
    },
  })

  route('POST /store/:mode/webhooks/resend', {
    operationId: 'resendWebhooks',
    summary: 'Resend webhooks',
    description:
      'Resends events either by id or by filter, at most 100 per request. Repeat with `cursor` until `next_cursor` is null.',
    roles: PAGE_ROLES.developers,
    params: ModeParams,
    body: ResendWebhooksBody,
    data: ResentWebhooks,
    errors: [409],
    handler: resendWebhooks,
  })

  route('GET /store/:mode/payments/:paymentId/webhooks', {
    operationId: 'listStorePaymentWebhooks',
    summary: 'List the webhooks of a payment',
    description:
      'Lists every event of a payment with its latest delivery attempts and the next retry.',
    scope: 'read',
    roles: PAGE_ROLES.balance,
    params: StorePaymentParams,
    data: PaymentWebhooks,
    handler: listPaymentWebhooks,
  })

  route('POST /store/:mode/payments/:paymentId/webhooks/redeliver', {
    operationId: 'redeliverStoreWebhook',
    summary: 'Resend the latest webhook of a payment',
    description: 'Resends the event immediately under the same id. A body is ignored.',
    scope: 'create',
    roles: PAGE_ROLES.developers,
    params: StorePaymentParams,
    ignoresBody: true,
    data: ResentEvent,
    errors: [409],
    handler: resendLatestEvent,
  })
}

/** Later than any event. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z')

type ResendCall = Call<PersonInMode, { body: ResendWebhooksBody; data: ResentWebhooks }>

/** Resends the events with these ids, or one page of the filtered log. Clients repeat the request until the last page. */
async function resendWebhooks({ service, caller, body, reply }: ResendCall): Promise<FastifyReply> {
  const { ids, dry_run: isDryRun } = body
  if (ids && WEBHOOK_FILTERS.some((field) => (body[field] ?? null) !== null)) {
    const message = 'Send either ids or filters, not both'
    return refuseInvalid(reply, [{ field: 'ids', message }])
  }
  const problems: FieldProblem[] = []
  const filter = filterOf(body, problems)
  const uniqueIds = [...new Set(ids)]
  const keys = uniqueIds.map(eventKeyOf).filter((key) => key !== null)
  if (keys.length < uniqueIds.length) {
    problems.push(problemOf('ids', 'must be event ids'))
  }
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { events, nextCursor } = ids
    ? { events: keys, nextCursor: null }
    : await readPage(service, caller, filter, MAX_LIMIT)
  const owner = { storeId: caller.storeId, mode: caller.mode }
  if (isDryRun) {
    const count = await countSendable(service.database, owner, events)
    return succeed(reply, 'Events would be resent', { events: count, next_cursor: nextCursor })
  }
  const { sent, emptied } = await resendEvents(service.database, owner, events, caller.actor)
  if (ids && sent === 0 && emptied > 0) return refuse(reply, 'event_redacted')
  service.dispatcher.wake()
  return succeed(reply, 'Events are being resent', { events: sent, next_cursor: nextCursor })
}

function eventKeyOf(id: string): EventKey | null {
  const parsed = parseEventId(id)
  const payment = parsed && parsePaymentId(parsed.paymentId)
  return payment && { ...payment, sequence: parsed.sequence }
}

type Filter = ReturnType<typeof filterOf>

/** Parses the filters of the log, and adds a problem for each invalid one. */
function filterOf(fields: ResendWebhooksBody, problems: FieldProblem[]) {
  const { state = null, type = null, payment_id: paymentId = null } = fields
  const page = pageQuery({ from: fields.from, to: fields.to, cursor: fields.cursor }, problems)
  const from = page.time('from') ?? new Date(0)
  const to = page.time('to') ?? END_OF_TIME
  const start: EventPosition = { at: to, paymentId: '', sequence: 0 }
  return { state, type, paymentId, from, before: page.cursor(parseEventPosition) ?? start }
}

async function readPage(
  service: Service,
  { storeId, mode }: PersonInMode,
  filter: Filter,
  limit: number,
) {
  const payment = filter.paymentId ? parsePaymentId(filter.paymentId) : null
  if (filter.paymentId && payment?.storeId !== storeId) return { events: [], nextCursor: null }
  const rows = await inReportTransaction(service.database, `store ${storeId}`, (tx) =>
    listLoggedEvents(tx, {
      ...filter,
      storeId,
      mode,
      paymentId: payment?.paymentId ?? null,
      limit: limit + 1,
    }),
  )
  const { items: events, nextCursor } = pageOf(rows, limit, (last) =>
    formatEventPosition(last, 'created_at'),
  )
  return { events, nextCursor }
}

function loggedView(event: LoggedEvent) {
  const { lastAt, lastStatusCode, lastError } = event
  return {
    ...eventView(event),
    payment_id: event.paymentId,
    url: event.url,
    state: event.state,
    next_attempt_at: event.nextAttemptAt && wireTime(event.nextAttemptAt),
    attempts: event.attempts,
    last_attempt: lastAt && { at: wireTime(lastAt), status_code: lastStatusCode, error: lastError },
  }
}
