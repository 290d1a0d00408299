import Type, { type Static } from 'typebox'
import {
  described,
  integer,
  limitQuery,
  mode,
  nextCursor,
  nullable,
  optional,
  string,
  wireTime,
} from './fields.ts'
import { paymentId } from './payments.ts'
import { EVENT_STATES, EVENT_TYPES } from './values.ts'
import { eventFields } from './webhooks.ts'

export const StoreKeyParams = Type.Object({ mode: mode(), apiKey: string('The `api-key`.') })
export type StoreKeyParams = Static<typeof StoreKeyParams>

export const WebhookSecret = Type.Object(
  {
    mode: mode(),
    webhook_secret: string('With which events are signed, `whsec_…`.'),
    previous_secret_until: described(nullable(wireTime()), 'Until then both sign.'),
  },
  { title: 'WebhookSecret' },
)
export type WebhookSecret = Static<typeof WebhookSecret>

const time = (description: string) => Type.String({ maxLength: 40, description })
const filters = {
  state: optional(Type.Enum(EVENT_STATES, { description: 'Only those in this state.' })),
  type: optional(Type.Enum(EVENT_TYPES, { description: 'Only those of this kind.' })),
  payment_id: optional(Type.String({ maxLength: 64, description: 'Only those of this payment.' })),
  from: optional(time('Inclusive; UTC or ISO 8601.')),
  to: optional(time('Exclusive; UTC or ISO 8601.')),
  cursor: optional(Type.String({ maxLength: 100, description: 'next_cursor of the page before.' })),
}

export const WebhookLogQuery = Type.Object({
  ...filters,
  limit: limitQuery(),
})
export type WebhookLogQuery = Static<typeof WebhookLogQuery>

export const WebhookLog = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        ...eventFields,
        payment_id: paymentId(),
        url: nullable(string('Where it is sent; null where nobody asked to be told.')),
        state: described(
          Type.Enum(EVENT_STATES),
          'Failing: tried and to be tried again. Exhausted: nobody tries again by himself.',
        ),
        next_attempt_at: nullable(wireTime('When it is tried again, UTC.')),
        attempts: integer('How often it was tried.'),
        last_attempt: nullable(
          Type.Object(
            {
              at: wireTime('When, UTC.'),
              status_code: nullable(integer('What your server answered.')),
              error: nullable(string('Why there was no answer.')),
            },
            { description: 'The latest attempt; null before the first.' },
          ),
        ),
      }),
      { description: 'Newest first.' },
    ),
    next_cursor: nextCursor(),
  },
  { title: 'WebhookLog' },
)
export type WebhookLog = Static<typeof WebhookLog>

export const ResendWebhooksBody = Type.Object(
  {
    ids: optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'These events; the filters then do not count.',
      }),
    ),
    ...filters,
    dry_run: optional(
      Type.Boolean({ description: 'Only count what would be sent again; nothing is sent.' }),
    ),
  },
  { title: 'ResendWebhooksBody' },
)
export type ResendWebhooksBody = Static<typeof ResendWebhooksBody>

export const ResentWebhooks = Type.Object(
  {
    events: described(
      Type.Integer(),
      'How many are sent again by this call, 100 at most. Events without a `webhook_url` are not counted.',
    ),
    next_cursor: described(nullable(Type.String()), 'Send it along to go on; null at the end.'),
  },
  { title: 'ResentWebhooks' },
)
export type ResentWebhooks = Static<typeof ResentWebhooks>
