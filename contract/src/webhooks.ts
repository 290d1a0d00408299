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
  id: string('The id of the event, sent as `webhook-id` with every attempt.'),
  type: Type.Enum(EVENT_TYPES, { description: 'What happened to the payment.' }),
  sequence: integer('Position of the event among the events of the payment.'),
  created_at: wireTime('Time of the event, UTC.'),
  resent_at: nullable(
    wireTime('Time of the latest request to resend the event, UTC. Null if there was none.'),
  ),
}

/** The body that is posted to `webhook_url`. */
export const WebhookBody = Type.Object(
  {
    type: eventFields.type,
    sequence: eventFields.sequence,
    timestamp: string('Time of the event, ISO 8601.'),
    data: described(PaymentDetails, 'The payment as it was at the time of the event.'),
  },
  { title: 'WebhookBody' },
)
export type WebhookBody = Static<typeof WebhookBody>

const DeliveryAttempt = Type.Object(
  {
    at: wireTime('Time of the attempt, UTC.'),
    duration_ms: integer('Duration in milliseconds.'),
    status_code: nullable(
      integer('Status that your server returned. Null if there was no complete response.'),
    ),
    error: nullable(string('Why there was no complete response. Null if there was one.')),
    body: nullable(string('The first 4 KiB of the response.')),
  },
  { title: 'DeliveryAttempt' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

const EventWithAttempts = Type.Object(
  {
    ...eventFields,
    url: nullable(string('The URL it is posted to. Null if there is no `webhook_url`.')),
    state: Type.Enum(['not_wanted', 'waiting', 'delivered', 'exhausted'], {
      description: 'State of the delivery. An exhausted event is not retried, but can be resent.',
    }),
    next_attempt_at: nullable(wireTime('Time of the next attempt, UTC. Null if there is none.')),
    attempts: Type.Array(DeliveryAttempt, {
      description: 'The latest attempts, oldest first. At most 100 for a payment.',
    }),
  },
  { title: 'EventWithAttempts' },
)
export type EventWithAttempts = Static<typeof EventWithAttempts>

export const PaymentWebhooks = Type.Object(
  { events: Type.Array(EventWithAttempts, { description: 'Events, oldest first.' }) },
  { title: 'PaymentWebhooks', description: 'The events of the payment.' },
)
export type PaymentWebhooks = Static<typeof PaymentWebhooks>

export const ResentEvent = Type.Object(
  {
    id: string('The id of the event, unchanged.'),
    type: string('What happened to the payment.'),
  },
  { title: 'ResentEvent', description: 'The event that is resent.' },
)
export type ResentEvent = Static<typeof ResentEvent>

export const EventsQuery = Type.Object({
  by: Type.Optional(
    Type.Enum(['created_at', 'resent_at'], {
      default: 'created_at',
      description:
        'The time that orders and filters events. `resent_at` returns only events that you asked to resend.',
    }),
  ),
  from: fromQuery(),
  to: toQuery(),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type EventsQuery = Static<typeof EventsQuery>

export const Event = Type.Object(
  {
    ...eventFields,
    payment_id: paymentId(),
    body: string('The body that is delivered. Empty if it is no longer stored.'),
  },
  { title: 'Event' },
)
export type Event = Static<typeof Event>

export const EventList = Type.Object(
  {
    events: Type.Array(Event, { description: 'Events, oldest first.' }),
    next_cursor: nextCursor(),
  },
  { title: 'EventList', description: 'One page of events.' },
)
export type EventList = Static<typeof EventList>

export const ResendEventsBody = Type.Object(
  {
    created_from: Type.String({
      maxLength: 40,
      examples: ['2026-01-31 08:00:00'],
      description: 'Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.',
    }),
    created_to: Type.String({
      maxLength: 40,
      examples: ['2026-02-01 08:00:00'],
      description: 'End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.',
    }),
  },
  { title: 'ResendEventsBody' },
)
export type ResendEventsBody = Static<typeof ResendEventsBody>

export const ResentEvents = Type.Object(
  { events: integer('Number of events that are resent.') },
  { title: 'ResentEvents', description: 'The number of events that are resent.' },
)
export type ResentEvents = Static<typeof ResentEvents>

export const WebhookQueue = Type.Object(
  {
    queue: Type.Array(
      Type.Object({
        mode: mode(),
        waiting: integer('Events that wait for an attempt.'),
        failing: integer('Waiting events with at least one failed attempt.'),
        exhausted: integer('Events that are no longer retried.'),
        oldest_due_at: nullable(
          wireTime('Time when the first waiting event is due, UTC. Null if none waits.'),
        ),
      }),
      { description: 'One entry per mode with undelivered events.' },
    ),
    failing_hosts: Type.Array(
      Type.Object({
        host: string('Host of the webhook URLs.'),
        waiting: integer('Waiting events for this host with at least one failed attempt.'),
        exhausted: integer('Events for this host that are no longer retried.'),
        stores: integer('Number of stores with these events.'),
        last_error: nullable(string('One of the errors.')),
      }),
      { description: 'At most 100 hosts with failed deliveries, most waiting events first.' },
    ),
  },
  { title: 'WebhookQueue', description: 'The queue of undelivered events.' },
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
    previous_secret_until: wireTime('Time until which events are signed with both secrets, UTC.'),
  },
  { title: 'RotatedWebhookSecret', description: 'The new secret.' },
)
export type RotatedWebhookSecret = Static<typeof RotatedWebhookSecret>
