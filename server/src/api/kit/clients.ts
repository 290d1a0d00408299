import type { FastifyReply, FastifyRequest } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { isEmptied, phoneDigits } from '../../core/erasure.ts'
import { type Mode, parsePaymentId } from '../../core/ids.ts'
import { parseJsonExactly } from '../../core/json.ts'
import { paymentView } from '../../core/paymentView.ts'
import type { Store } from '../../core/store.ts'
import { eventIdOf } from '../../core/webhook.ts'
import { type ClientPage, eraseClient, exportClient } from '../../ops/clients.ts'
import type { Service } from '../../service.ts'
import type { AttemptRow } from '../../sql/deliveries.ts'
import type { ToldEvent } from '../../sql/erasure.ts'
import { pageQuery } from './paging.ts'
import { refuseInvalid, succeed } from './replies.ts'
import { type FieldProblem, schemaProblems } from './validation.ts'
import { attemptView } from './webhooks.ts'

type Said = { readonly data: Record<string, unknown> & { readonly reference: { note: unknown } } }

/** What merchants were told, cut down to what it says about one person. */
export function toldView(
  events: readonly ToldEvent[],
  attempts: readonly AttemptRow[],
  about: (said: Said) => unknown,
) {
  const ofEvent = (event: ToldEvent) => (attempt: AttemptRow) =>
    attempt.paymentId === event.paymentId && attempt.sequence === event.sequence
  return events.map((event) => ({
    id: eventIdOf(event.paymentId, event.sequence),
    type: event.type,
    payment_id: event.paymentId,
    created_at: wireTime(event.createdAt),
    url: event.url,
    about: isEmptied(event) ? null : about(parseJsonExactly(event.body) as Said),
    attempts: attempts.filter(ofEvent(event)).map(attemptView),
  }))
}

type Owner = { readonly store: Store; readonly mode: Mode }
type Send = (
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  owner: Owner,
) => Promise<FastifyReply>

export const sendClientExport: Send = async (service, request, reply, owner) => {
  const page = clientAsked(request, reply, owner)
  if (page === null) return reply
  const { database, dispatcher, config } = service
  const by = request.actor!
  const found = await exportClient(database, dispatcher.outbox, { page, by })
  return succeed(reply, 'Client', {
    payments: found.stories.map((story) => {
      const { user, webhook, ...ofClient } = paymentView(story, owner.store, config.publicUrl)
      return { ...ofClient, return_url: story.payment.returnUrl }
    }),
    webhooks: toldView(found.events, found.attempts, ({ data }) => ({
      client: data.client,
      payload: data.payload,
      reference_note: data.reference.note,
    })),
    next_cursor: found.next,
  })
}

export const sendClientErased: Send = async (service, request, reply, owner) => {
  const page = clientAsked(request, reply, owner)
  if (page === null) return reply
  const { payments, next } = await eraseClient(service.database, { page, by: request.actor! })
  return succeed(reply, 'Client erased', { payments, next_cursor: next })
}

/** Null where it was refused. */
function clientAsked(
  request: FastifyRequest,
  reply: FastifyReply,
  { store, mode }: Owner,
): ClientPage | null {
  const problems: FieldProblem[] = schemaProblems(request)
  const wrong = () => {
    refuseInvalid(reply, problems)
    return null
  }
  if (problems.length > 0) return wrong()
  const fields = request.body as Record<'email' | 'phone' | 'cursor', string | null | undefined>
  const email = fields.email?.trim() || null
  const phone = fields.phone?.trim() || null
  if (email === null && phone === null) {
    problems.push({ field: 'email', message: 'email or phone is required' })
  }
  // Fewer would be the number of nobody, or of everybody who gave none.
  if (phone !== null && phoneDigits(phone).length < 4) {
    problems.push({ field: 'phone', message: 'phone must have at least 4 digits' })
  }
  const before = pageQuery({ cursor: fields.cursor }, problems).cursor(parsePaymentId)
  if (problems.length > 0) return wrong()
  const idBefore = before?.paymentId ?? null
  return { storeId: store.storeId, mode, client: { email, phone }, idBefore }
}
