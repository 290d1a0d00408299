import Type, { type Static } from 'typebox'
import {
  cursorQuery,
  described,
  fromQuery,
  integer,
  limitQuery,
  mode,
  nextCursor,
  nullable,
  string,
  toQuery,
  wireTime,
} from './fields.ts'
import { PaymentDetails, paymentId } from './payments.ts'
import { EVENT_TYPES } from './values.ts'

export const eventFields = {
  id: described(Type.String(), 'The webhook-id of every attempt.'),
  type: Type.Enum(EVENT_TYPES, { description: 'What became of the payment.' }),
  sequence: described(Type.Integer(), 'Order among the events of one payment.'),
  created_at: wireTime('When it happened, UTC.'),
  resent_at: nullable(wireTime('When it was last asked for again, UTC.')),
}

/** What is posted to `webhook_url`; `data` is frozen at that change. */
export const WebhookBody = Type.Object(
  {
    type: eventFields.type,
    sequence: eventFields.sequence,
    timestamp: string('When it happened, ISO 8601.'),
    data: described(PaymentDetails, 'The payment as it was at that change.'),
  },
  { title: 'WebhookBody' },
)
export type WebhookBody = Static<typeof WebhookBody>

export const PaymentWebhooks = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        ...eventFields,
        url: nullable(string('Where it goes; null where nobody is told.')),
        state: described(
          Type.Enum(['not_wanted', 'waiting', 'delivered', 'exhausted']),
          'Exhausted: nobody tries again by himself, but it can be sent again.',
        ),
        next_attempt_at: nullable(wireTime('When it is tried next, UTC.')),
        attempts: Type.Array(
          Type.Object({
            at: wireTime('When, UTC.'),
            duration_ms: integer('How long it took.'),
            status_code: nullable(integer('What your server answered.')),
            error: nullable(string('Why there was no answer.')),
            body: described(nullable(Type.String()), 'The first 4 KiB of the answer.'),
          }),
          { description: 'Every attempt, in order of time.' },
        ),
      }),
      { description: 'In order of time.' },
    ),
  },
  { title: 'PaymentWebhooks' },
)
export type PaymentWebhooks = Static<typeof PaymentWebhooks>

export const ResentEvent = Type.Object(
  {
    id: string('The webhook-id, the same as before.'),
    type: string('What became of the payment.'),
  },
  { title: 'ResentEvent' },
)
export type ResentEvent = Static<typeof ResentEvent>

export const EventsQuery = Type.Object({
  by: Type.Optional(
    described(
      Type.Enum(['created_at', 'resent_at']),
      'Which time orders and filters; resent_at gives only events that were asked for again.',
    ),
  ),
  from: fromQuery(),
  to: toQuery(),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type EventsQuery = Static<typeof EventsQuery>

export const EventList = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        ...eventFields,
        payment_id: paymentId(),
        body: described(
          Type.String(),
          'The bytes that are delivered; empty once they are not kept.',
        ),
      }),
      { description: 'Oldest first.' },
    ),
    next_cursor: nextCursor(),
  },
  { title: 'EventList' },
)
export type EventList = Static<typeof EventList>

export const ResendEventsBody = Type.Object(
  {
    created_from: described(
      Type.String({ maxLength: 40, examples: ['2026-01-31 08:00:00'] }),
      'Inclusive; UTC or ISO 8601.',
    ),
    created_to: described(
      Type.String({ maxLength: 40, examples: ['2026-02-01 08:00:00'] }),
      'Exclusive; UTC or ISO 8601.',
    ),
  },
  { title: 'ResendEventsBody' },
)
export type ResendEventsBody = Static<typeof ResendEventsBody>

export const ResentEvents = Type.Object(
  {
    events: described(Type.Integer(), 'How many are sent again.'),
  },
  { title: 'ResentEvents' },
)
export type ResentEvents = Static<typeof ResentEvents>

export const WebhookQueue = Type.Object(
  {
    queue: Type.Array(
      Type.Object({
        mode: mode(),
        waiting: integer('Events that are still to be delivered.'),
        failing: described(Type.Integer(), 'Of those waiting, tried at least once.'),
        exhausted: integer('Events that nobody tries any more.'),
        oldest_due_at: nullable(wireTime('The one that waits longest, UTC.')),
      }),
      { description: 'One for each mode.' },
    ),
    failing_hosts: Type.Array(
      Type.Object({
        host: string('Whose events fail.'),
        waiting: integer('Events for it that are still to be delivered.'),
        exhausted: integer('Events for it that nobody tries any more.'),
        stores: integer('How many stores send there.'),
        last_error: nullable(string('What went wrong last.')),
      }),
      { description: 'The worst first.' },
    ),
  },
  { title: 'WebhookQueue' },
)
export type WebhookQueue = Static<typeof WebhookQueue>

export const RotateWebhookSecretBody = Type.Object(
  { mode: mode() },
  { title: 'RotateWebhookSecretBody' },
)
export type RotateWebhookSecretBody = Static<typeof RotateWebhookSecretBody>
export const RotatedWebhookSecret = Type.Object(
  {
    mode: mode(),
    webhook_secret: string('The new secret, `whsec_…`.'),
    previous_secret_until: wireTime('Until when events carry two signatures, UTC.'),
  },
  { title: 'RotatedWebhookSecret' },
)
export type RotatedWebhookSecret = Static<typeof RotatedWebhookSecret>
