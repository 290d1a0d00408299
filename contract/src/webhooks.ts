import Type from 'typebox'
import { described } from './common.ts'
import {
  cursorAsked,
  fromAsked,
  limitAsked,
  mode,
  nextCursor,
  nullable,
  shown,
  toAsked,
  whole,
  wireTime,
} from './fields.ts'
import { PaymentDetails, paymentId } from './merchant.ts'
import { EVENT_TYPES } from './values.ts'

export const EventHead = {
  id: described(Type.String(), 'The webhook-id of every attempt.'),
  type: Type.Enum(EVENT_TYPES, { description: 'What became of the payment.' }),
  sequence: described(Type.Integer(), 'Order among the events of one payment.'),
  created_at: wireTime('When it happened, UTC.'),
  resent_at: nullable(wireTime('When it was last asked for again, UTC.')),
}

/** What is posted to `webhook_url`; `data` is frozen at that change. */
export const WebhookBody = Type.Object({
  type: EventHead.type,
  sequence: EventHead.sequence,
  timestamp: shown('When it happened, ISO 8601.'),
  data: described(PaymentDetails, 'The payment as it was at that change.'),
})

export const PaymentWebhooks = Type.Object({
  events: Type.Array(
    Type.Object({
      ...EventHead,
      url: nullable(shown('Where it goes; null where nobody is told.')),
      state: described(
        Type.Enum(['not_wanted', 'waiting', 'delivered', 'exhausted']),
        'Exhausted: nobody tries again by himself, but it can be sent again.',
      ),
      next_attempt_at: nullable(wireTime('When it is tried next, UTC.')),
      attempts: Type.Array(
        Type.Object({
          at: wireTime('When, UTC.'),
          duration_ms: whole('How long it took.'),
          status_code: nullable(whole('What your server answered.')),
          error: nullable(shown('Why there was no answer.')),
          body: described(nullable(Type.String()), 'The first 4 KiB of the answer.'),
        }),
        { description: 'Every attempt, in order of time.' },
      ),
    }),
    { description: 'In order of time.' },
  ),
})

export const RedeliveredData = Type.Object({
  id: shown('The webhook-id, the same as before.'),
  type: shown('What became of the payment.'),
})

export const EventsQuery = Type.Object({
  by: Type.Optional(
    described(
      Type.Enum(['created_at', 'resent_at']),
      'Which time orders and filters; resent_at gives only events that were asked for again.',
    ),
  ),
  from: fromAsked(),
  to: toAsked(),
  limit: limitAsked(),
  cursor: cursorAsked(),
})

export const EventsData = Type.Object({
  events: Type.Array(
    Type.Object({
      ...EventHead,
      payment_id: paymentId(),
      body: described(Type.String(), 'The bytes that are delivered; empty once they are not kept.'),
    }),
    { description: 'Oldest first.' },
  ),
  next_cursor: nextCursor(),
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
      waiting: whole('Events that are still to be delivered.'),
      failing: described(Type.Integer(), 'Of those waiting, tried at least once.'),
      exhausted: whole('Events that nobody tries any more.'),
      oldest_due_at: nullable(wireTime('The one that waits longest, UTC.')),
    }),
    { description: 'One for each mode.' },
  ),
  failing_hosts: Type.Array(
    Type.Object({
      host: shown('Whose events fail.'),
      waiting: whole('Events for it that are still to be delivered.'),
      exhausted: whole('Events for it that nobody tries any more.'),
      stores: whole('How many stores send there.'),
      last_error: nullable(shown('What went wrong last.')),
    }),
    { description: 'The worst first.' },
  ),
})

export const RotateSecretBody = Type.Object({ mode: mode() })
export const RotatedSecretData = Type.Object({
  mode: mode(),
  webhook_secret: shown('The new secret, `whsec_…`.'),
  previous_secret_until: wireTime('Until when events carry two signatures, UTC.'),
})
