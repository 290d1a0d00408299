import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClientBody, ClientExport, ErasedClient } from '@florin/contract/privacy.js'
import { wireTime } from '../../../core/calendar.ts'
import { phoneDigits } from '../../../core/erasure.ts'
import { type Mode, parsePaymentId } from '../../../core/ids.ts'
import { parseJsonExactly, storedObject, stringifyExactly } from '../../../core/json.ts'
import { paymentView } from '../../../core/paymentView.ts'
import type { Store } from '../../../core/store.ts'
import { eventIdOf } from '../../../core/webhook.ts'
import { type ClientPage, eraseClient, exportClient } from '../../../ops/clients.ts'
import type { AttemptRow } from '../../../sql/deliveries.ts'
import type { StoredEvent } from '../../../sql/erasure.ts'
import type { ActingCaller } from '../audiences.ts'
import { type FieldProblem, problemOf } from '../http/validation.ts'
import { pageQuery } from '../paging.ts'
import { refuseInvalid, succeed } from '../replies.ts'
import type { Call } from '../route.ts'
import { attemptView } from './webhooks.ts'

// Handlers that export and erase the data of a client. The routes of store owners and of operators share them.

type EventBody = {
  readonly data: Record<string, unknown> & { readonly reference: { readonly note: unknown } }
}

/** Events and their delivery attempts. `select` returns the data about one person. */
export async function sentEventsView(
  events: readonly StoredEvent[],
  attempts: readonly AttemptRow[],
  select: (body: EventBody) => unknown,
) {
  const ofEvent = (event: StoredEvent) => (attempt: AttemptRow) =>
    attempt.paymentId === event.paymentId && attempt.sequence === event.sequence
  const view = (event: StoredEvent) => ({
    id: eventIdOf(event.paymentId, event.sequence),
    type: event.type,
    payment_id: event.paymentId,
    created_at: wireTime(event.createdAt),
    url: event.url,
    about: event.body ? select(parseJsonExactly(event.body) as EventBody) : null,
    attempts: attempts.filter(ofEvent(event)).map(attemptView),
  })
  const views: ReturnType<typeof view>[] = []
  for (const event of events) {
    views.push(view(event))
    // A large body takes milliseconds, and there can be hundreds.
    await nextTurn()
  }
  return views
}

type Owner = { readonly store: Store; readonly mode: Mode }
type ClientCall<Data> = Call<ActingCaller, { body: ClientBody; data: Data }>

export async function exportStoreClient(call: ClientCall<ClientExport>, owner: Owner) {
  const { service, caller, reply } = call
  const page = clientPageOf(call, owner)
  if (page === null) return reply
  const { database, outbox, config } = service
  const read = () => exportClient(database, outbox, { page, by: caller.actor })
  const found = await service.readOfStore(page.storeId, read, { isSlow: true })
  return succeed(reply, 'Client', {
    payments: found.records.map((record) => {
      const { user, webhook, ...ofClient } = paymentView(record, owner.store, config.publicUrl)
      return { ...ofClient, return_url: record.payment.returnUrl }
    }),
    webhooks: await sentEventsView(found.events, found.attempts, ({ data }) => ({
      client: data.client,
      payload: storedObject(data.payload === null ? null : stringifyExactly(data.payload)),
      reference_note: data.reference.note,
    })),
    next_cursor: found.next,
  })
}

export async function eraseStoreClient(call: ClientCall<ErasedClient>, owner: Owner) {
  const { service, caller, reply } = call
  const page = clientPageOf(call, owner)
  if (page === null) return reply
  const { payments, next } = await eraseClient(service.database, { page, by: caller.actor })
  return succeed(reply, 'Client erased', { payments, next_cursor: next })
}

const MIN_PHONE_DIGITS = 4

/** The client and page that the request names, or null if it refused the request. */
function clientPageOf(
  { body, reply }: ClientCall<unknown>,
  { store, mode }: Owner,
): ClientPage | null {
  const problems: FieldProblem[] = []
  const email = body.email?.trim() || null
  const phone = body.phone?.trim() || null
  if (email === null && phone === null) {
    problems.push({ field: 'email', message: 'email or phone is required' })
  }
  // A number without digits would match every client whose phone number has no digits.
  if (phone !== null && phoneDigits(phone).length < MIN_PHONE_DIGITS) {
    problems.push(problemOf('phone', `must have at least ${MIN_PHONE_DIGITS} digits`))
  }
  const before = pageQuery({ cursor: body.cursor }, problems).cursor(parsePaymentId)
  if (problems.length > 0) {
    refuseInvalid(reply, problems)
    return null
  }
  const idBefore = before?.paymentId ?? null
  return { storeId: store.storeId, mode, client: { email, phone }, idBefore }
}
