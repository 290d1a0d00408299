import type { FastifyReply, FastifyRequest } from 'fastify'
import { wireTime } from '../core/calendar.ts'
import { isEmptied, phoneDigits } from '../core/erasure.ts'
import { type Mode, parsePaymentId } from '../core/ids.ts'
import { paymentView } from '../core/paymentView.ts'
import type { Store } from '../core/store.ts'
import { eventIdOf } from '../core/webhook.ts'
import { eraseClient, exportClient } from '../ops/clients.ts'
import type { Service } from '../service.ts'
import type { AttemptRow } from '../store/deliveries.ts'
import type { ToldEvent } from '../store/erasure.ts'
import { refuseInvalid, succeed } from './errorReply.ts'
import { pageQuery } from './pageQuery.ts'
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
    about: isEmptied(event) ? null : about(JSON.parse(event.body) as Said),
    attempts: attempts.filter(ofEvent(event)).map(attemptView),
  }))
}

type Owner = { readonly store: Store; readonly mode: Mode }

export async function sendClientExport(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { store, mode }: Owner,
) {
  const asked = clientAsked(request)
  if ('problems' in asked) return refuseInvalid(reply, asked.problems)
  const { database, dispatcher, config } = service
  const page = { storeId: store.storeId, mode, ...asked }
  const by = request.actor!
  const found = await exportClient(database, dispatcher.outbox, { page, by })
  return succeed(reply, 'Client', {
    payments: found.stories.map((story) => {
      const { user: _, webhook: __, ...ofClient } = paymentView(story, store, config.publicUrl)
      return ofClient
    }),
    webhooks: toldView(found.events, found.attempts, ({ data }) => ({
      ...{ client: data.client, payload: data.payload, reference_note: data.reference.note },
    })),
    next_cursor: found.next,
  })
}

export async function sendClientErased(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { store, mode }: Owner,
) {
  const asked = clientAsked(request)
  if ('problems' in asked) return refuseInvalid(reply, asked.problems)
  const page = { storeId: store.storeId, mode, ...asked }
  const { payments, next } = await eraseClient(service.database, { page, by: request.actor! })
  return succeed(reply, 'Client erased', { payments, next_cursor: next })
}

function clientAsked(request: FastifyRequest) {
  const problems: FieldProblem[] = schemaProblems(request)
  if (problems.length > 0) return { problems }
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
  const before = pageQuery({ cursor: fields.cursor ?? undefined }, problems).cursor(parsePaymentId)
  if (problems.length > 0) return { problems }
  return { client: { email, phone }, idBefore: before?.paymentId ?? null }
}
