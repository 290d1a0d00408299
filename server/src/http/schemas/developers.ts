import Type from 'typebox'
import { EVENT_TYPES } from '../../core/webhook.ts'
import { EVENT_STATES } from '../../store/eventLog.ts'
import { described } from './common.ts'
import { mode, nullable, optional, wireTime } from './fields.ts'
import { EventHead } from './webhooks.ts'

export const StoreKeyParams = Type.Object({ mode: mode(), apiKey: Type.String() })

export const WebhookSecretData = Type.Object({
  mode: mode(),
  webhook_secret: Type.String(),
  previous_secret_until: described(nullable(wireTime()), 'Until then both sign.'),
})

const time = (description: string) => Type.String({ maxLength: 40, description })
const filters = {
  state: optional(Type.Enum([...EVENT_STATES])),
  type: optional(Type.Enum([...EVENT_TYPES])),
  payment_id: optional(Type.String({ maxLength: 64 })),
  from: optional(time('Inclusive; UTC or ISO 8601.')),
  to: optional(time('Exclusive; UTC or ISO 8601.')),
  cursor: optional(Type.String({ maxLength: 100, description: 'next_cursor of the page before.' })),
}

export const LogQuery = Type.Object({
  ...filters,
  limit: Type.Optional(Type.String({ description: '1 to 100; 20 where absent.' })),
})

export const LogData = Type.Object({
  events: Type.Array(
    Type.Object({
      ...EventHead,
      payment_id: Type.String(),
      url: nullable(Type.String()),
      state: described(
        Type.Enum([...EVENT_STATES]),
        'Failing: tried and to be tried again. Exhausted: nobody tries again by himself.',
      ),
      next_attempt_at: nullable(wireTime()),
      attempts: Type.Integer(),
      last_attempt: nullable(
        Type.Object({
          at: wireTime(),
          status_code: nullable(Type.Integer()),
          error: nullable(Type.String()),
        }),
      ),
    }),
  ),
  next_cursor: nullable(Type.String()),
})

export const ResendBody = Type.Object({
  ids: optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 100,
      description: 'These events; the filters then do not count.',
    }),
  ),
  ...filters,
})

export const ResendData = Type.Object({
  events: described(Type.Integer(), 'How many are sent again by this call, 100 at most.'),
  next_cursor: described(nullable(Type.String()), 'Send it along to go on; null at the end.'),
})
