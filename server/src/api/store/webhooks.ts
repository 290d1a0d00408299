import type { WebhookLogQuery } from '@florin/contract/developers.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { parsePaymentId } from '../../core/ids.ts'
import { type EventType, parseEventId } from '../../core/webhook.ts'
import { lookInTurn } from '../../ops/lookInTurn.ts'
import { countSendable, redeliverEvents } from '../../ops/redeliver.ts'
import type { Service } from '../../service.ts'
import { type EventState, type LoggedEvent, listLoggedEvents } from '../../sql/eventLog.ts'
import type { EventKey } from '../../sql/events.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { MAX_LIMIT, pageQuery } from '../kit/paging.ts'
import { type FieldProblem, schemaProblems } from '../kit/validation.ts'
import { eventView, formatEventPosition, parseEventPosition } from '../kit/webhooks.ts'

type Filters = {
  readonly state?: EventState | null
  readonly type?: EventType | null
  readonly payment_id?: string | null
  readonly from?: string | null
  readonly to?: string | null
  readonly cursor?: string | null
}

type ResendOptions = {
  readonly ids?: readonly string[] | null
  readonly dry_run?: boolean | null
}

/** Later than any event. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z')

export async function sendLog(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const problems = schemaProblems(request)
  const query = request.query as WebhookLogQuery
  const { limit } = pageQuery(query, problems)
  const read = reader(service, request, query, problems)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { events, nextCursor } = await read(limit)
  return succeed(reply, 'Webhook log', {
    events: events.map(loggedView),
    next_cursor: nextCursor,
  })
}

/** One page of the filtered log, or the events named: many are sent by calling until the end. */
export async function resendEvents(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const problems = schemaProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { ids, dry_run: isDryRun, ...filters } = request.body as Filters & ResendOptions
  const read = reader(service, request, filters, problems)
  const named = (ids ?? []).map(eventKeyOf)
  if (named.includes(null)) problems.push({ field: 'ids', message: 'ids must be ids of events' })
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { store, mode } = merchantOf(request)
  const page = ids ? { events: named as EventKey[], nextCursor: null } : await read(MAX_LIMIT)
  const { storeId } = store
  const owner = { storeId, mode }
  if (isDryRun) {
    const events = await countSendable(service.database, owner, page.events)
    return succeed(reply, 'Events would be sent again', { events, next_cursor: page.nextCursor })
  }
  const found = await redeliverEvents(service.database, owner, page.events, request.actor!)
  const { sent, emptied } = found
  if (ids && sent === 0 && emptied > 0) return refuse(reply, 'event_redacted')
  service.dispatcher.wake()
  return succeed(reply, 'Events are being sent again', {
    events: sent,
    next_cursor: page.nextCursor,
  })
}

function eventKeyOf(id: string): EventKey | null {
  const parsed = parseEventId(id)
  const payment = parsed && parsePaymentId(parsed.paymentId)
  return payment && { ...payment, sequence: parsed.sequence }
}

/** What is asked for, or what is wrong with it; the answer reads that many of them. */
function reader(
  service: Service,
  request: FastifyRequest,
  filters: Filters,
  problems: FieldProblem[],
) {
  const { store, mode } = merchantOf(request)
  const { from: since, to: until, cursor: position } = filters
  const asked = pageQuery({ from: since, to: until, cursor: position }, problems)
  const [from, to] = [asked.time('from'), asked.time('to')]
  const cursor = asked.cursor(parseEventPosition)
  const payment = filters.payment_id ? parsePaymentId(filters.payment_id) : null
  const isNobodys = Boolean(filters.payment_id) && payment?.storeId !== store.storeId

  return async (limit: number) => {
    const found = isNobodys
      ? []
      : await lookInTurn(service.database, (tx) =>
          listLoggedEvents(tx, {
            storeId: store.storeId,
            mode,
            state: filters.state ?? null,
            type: filters.type ?? null,
            paymentId: payment?.paymentId ?? null,
            from: from ?? new Date(0),
            before: cursor ?? { at: to ?? END_OF_TIME, paymentId: '', sequence: 0 },
            limit: limit + 1,
          }),
        )
    const events = found.slice(0, limit)
    const last = events.at(-1)
    const nextCursor = last && found.length > limit ? formatEventPosition(last, 'created_at') : null
    return { events, nextCursor }
  }
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
    last_attempt: lastAt && {
      at: wireTime(lastAt),
      status_code: lastStatusCode,
      error: lastError,
    },
  }
}
