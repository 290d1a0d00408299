import Type from 'typebox'
import { EVENT_TYPES } from '../../core/webhook.ts'
import { described } from './common.ts'
import { mode, nullable, wireTime } from './fields.ts'

export const EventHead = {
  id: described(Type.String(), 'The webhook-id of every attempt.'),
  type: Type.Enum([...EVENT_TYPES]),
  sequence: described(Type.Integer(), 'Order among the events of one payment.'),
  created_at: wireTime(),
  resent_at: nullable(wireTime()),
}

export const PaymentWebhooks = Type.Object({
  events: Type.Array(
    Type.Object({
      ...EventHead,
      url: nullable(Type.String()),
      state: described(
        Type.Enum(['not_wanted', 'waiting', 'delivered', 'exhausted']),
        'Exhausted: nobody tries again by himself, but it can be sent again.',
      ),
      next_attempt_at: nullable(wireTime()),
      attempts: Type.Array(
        Type.Object({
          at: wireTime(),
          duration_ms: Type.Integer(),
          status_code: nullable(Type.Integer()),
          error: nullable(Type.String()),
          body: described(nullable(Type.String()), 'The first 4 KiB of the answer.'),
        }),
      ),
    }),
  ),
})

export const RedeliveredData = Type.Object({ id: Type.String(), type: Type.String() })

export const EventsQuery = Type.Object({
  by: Type.Optional(
    described(
      Type.Enum(['created_at', 'resent_at']),
      'Which time orders and filters; resent_at gives only events that were asked for again.',
    ),
  ),
  from: Type.Optional(Type.String({ description: 'Inclusive; UTC or ISO 8601.' })),
  to: Type.Optional(Type.String({ description: 'Exclusive; UTC or ISO 8601.' })),
  limit: Type.Optional(Type.String({ description: '1 to 100; 20 where absent.' })),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
})

export const EventsData = Type.Object({
  events: Type.Array(
    Type.Object({
      ...EventHead,
      payment_id: Type.String(),
      body: described(Type.String(), 'The bytes that are delivered.'),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const WindowBody = Type.Object({
  created_from: described(
    Type.String({ maxLength: 40, examples: ['2026-01-31 08:00:00'] }),
    'Inclusive; UTC or ISO 8601.',
  ),
  created_to: described(
    Type.String({ maxLength: 40, examples: ['2026-02-01 08:00:00'] }),
    'Exclusive; UTC or ISO 8601.',
  ),
})

export const WindowData = Type.Object({
  events: described(Type.Integer(), 'How many are sent again.'),
})

export const QueueData = Type.Object({
  queue: Type.Array(
    Type.Object({
      mode: mode(),
      waiting: Type.Integer(),
      failing: described(Type.Integer(), 'Of those waiting, tried at least once.'),
      exhausted: Type.Integer(),
      oldest_due_at: nullable(wireTime()),
    }),
  ),
  failing_hosts: Type.Array(
    Type.Object({
      host: Type.String(),
      waiting: Type.Integer(),
      exhausted: Type.Integer(),
      stores: Type.Integer(),
      last_error: nullable(Type.String()),
    }),
  ),
})

export const RotateSecretBody = Type.Object({ mode: mode() })
export const RotatedSecretData = Type.Object({
  mode: mode(),
  webhook_secret: Type.String(),
  previous_secret_until: wireTime(),
})
