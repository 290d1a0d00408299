import type { EVENT_STATES } from '@florin/contract/values.js'
import type { PaymentId, StoreAndMode } from '../core/ids.ts'
import type { EventType } from '../core/webhook.ts'
import type { Queryable } from '../database/database.ts'
import type { EventPosition, PaymentEvent } from './events.ts'

type EventState = (typeof EVENT_STATES)[number]

/** An event with its delivery state and latest attempt. */
export type LoggedEvent = Omit<PaymentEvent, 'body'> & {
  readonly state: EventState
  readonly nextAttemptAt: Date | null
  readonly attempts: number
  readonly lastAt: Date | null
  readonly lastStatusCode: number | null
  readonly lastError: string | null
}

const STATE = `
  case
    when e.url is null then 'not_wanted'
    when d.store_id is null then 'delivered'
    when d.due_at is null then 'exhausted'
    when d.attempts > 0 then 'failing'
    else 'waiting'
  end`

/**
 * A store's events before a position, newest first. Undelivered ones are found through the deliveries, which are
 * few, instead of the whole log.
 */
export async function listLoggedEvents(
  on: Queryable,
  filter: StoreAndMode & {
    state: EventState | 'wanted' | null
    type: EventType | null
    paymentId: PaymentId | null
    from: Date
    before: EventPosition
    limit: number
  },
): Promise<LoggedEvent[]> {
  const { state, type, paymentId, before } = filter
  const isUndelivered = state === 'waiting' || state === 'failing' || state === 'exhausted'
  const values: unknown[] = [
    filter.storeId,
    filter.mode,
    filter.from,
    before.at,
    before.paymentId,
    before.sequence,
  ]
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = [
    'e.store_id = $1 and e.mode = $2 and e.created_at >= $3',
    '(e.created_at, e.payment_id, e.sequence) < ($4, $5::text, $6::int)',
  ]
  if (state === 'wanted') where.push('e.url is not null')
  else if (state !== null) where.push(`${STATE} = ${bind(state)}`)
  if (type !== null) where.push(`e.type = ${bind(type)}`)
  if (paymentId !== null) where.push(`e.payment_id = ${bind(paymentId)}`)
  return on.query<LoggedEvent>(
    `select e.store_id as "storeId", e.payment_id as "paymentId", e.sequence, e.mode, e.type, e.url,
       e.created_at as "createdAt", e.resent_at as "resentAt", ${STATE} as state,
       d.due_at as "nextAttemptAt", coalesce(a.number, 0) as attempts, a.at as "lastAt",
       a.status_code as "lastStatusCode", a.error as "lastError"
     from event e
     ${isUndelivered ? 'join' : 'left join'} delivery d
       on d.store_id = e.store_id and d.payment_id = e.payment_id and d.sequence = e.sequence
     left join lateral (
       select number, at, status_code, error
       from delivery_attempt
       where store_id = $1 and payment_id = e.payment_id and sequence = e.sequence
       order by at desc
       limit 1
     ) a on true
     where ${where.join(' and ')}
     order by e.created_at desc, e.payment_id desc, e.sequence desc
     limit ${bind(filter.limit)}`,
    values,
  )
}
