import Type, { type Static } from 'typebox'
import {
  integer,
  limitQuery,
  listOf,
  mode,
  nextCursor,
  nullable,
  optional,
  string,
  wireTime,
} from './fields.ts'
import { Credential } from './keys.ts'
import { paymentId } from './payments.ts'
import { EVENT_STATES, EVENT_TYPES } from './values.ts'
import { eventFields } from './webhooks.ts'

export const StoreKeyParams = Type.Object({ mode: mode(), apiKey: string('The API key.') })
export type StoreKeyParams = Static<typeof StoreKeyParams>

export const Keys = Type.Object(
  { keys: listOf(Credential, 'API keys, without their secrets.') },
  { title: 'Keys', description: 'The API keys of this mode.' },
)
export type Keys = Static<typeof Keys>

export const WebhookSecret = Type.Object(
  {
    mode: mode(),
    webhook_secret: string('The secret that signs events, `whsec_…`.'),
    previous_secret_until: nullable(
      wireTime('Time until which the previous secret signs too, UTC. Null if there is none.'),
    ),
  },
  { title: 'WebhookSecret', description: 'The webhook secret of this mode.' },
)
export type WebhookSecret = Static<typeof WebhookSecret>

const time = (description: string) => Type.String({ maxLength: 40, description })
const filters = {
  state: optional(
    Type.Enum([...EVENT_STATES, 'wanted'], {
      description: 'Only events in this state. `wanted`: in any state except `not_wanted`.',
    }),
  ),
  type: optional(Type.Enum(EVENT_TYPES, { description: 'Only events of this type.' })),
  payment_id: optional(Type.String({ maxLength: 64, description: 'Only events of this payment.' })),
  from: optional(
    time('Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.'),
  ),
  to: optional(time('End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.')),
  cursor: optional(
    Type.String({ maxLength: 100, description: '`next_cursor` of the previous page.' }),
  ),
}

export const WEBHOOK_FILTERS = Object.keys(filters) as (keyof typeof filters)[]

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
        url: nullable(string('The `webhook_url` of the payment. Null if it has none.')),
        state: Type.Enum(EVENT_STATES, {
          description:
            '`failing`: the last attempt failed and is retried. `exhausted`: no longer retried. `not_wanted`: the payment has no `webhook_url`.',
        }),
        next_attempt_at: nullable(
          wireTime('Time of the next attempt, UTC. Null if there is none.'),
        ),
        attempts: integer(
          'Number of attempts. It starts again when a delivered or exhausted event is resent.',
        ),
        last_attempt: nullable(
          Type.Object(
            {
              at: wireTime('Time of the attempt, UTC.'),
              status_code: nullable(
                integer('The HTTP status of the response. Null if there was no complete response.'),
              ),
              error: nullable(string('Why there was no complete response. Null if there was one.')),
            },
            { description: 'The latest attempt. Null before the first one.' },
          ),
        ),
      }),
      { description: 'Events, newest first.' },
    ),
    next_cursor: nextCursor(),
  },
  { title: 'WebhookLog', description: 'One page of the webhook log.' },
)
export type WebhookLog = Static<typeof WebhookLog>
export type LoggedEvent = WebhookLog['events'][number]

export const ResendWebhooksBody = Type.Object(
  {
    ids: optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Ids of events. Send either `ids` or filters.',
      }),
    ),
    ...filters,
    dry_run: optional(
      Type.Boolean({ description: 'True to only count the events. Nothing is sent.' }),
    ),
  },
  { title: 'ResendWebhooksBody' },
)
export type ResendWebhooksBody = Static<typeof ResendWebhooksBody>

export const ResentWebhooks = Type.Object(
  {
    events: integer(
      'Number of events that this request resends, or would resend without `dry_run`, at most 100. Events without a `webhook_url`, and those whose body is no longer stored, are not counted.',
    ),
    next_cursor: nullable(string('Pass it as `cursor` to resend the next page. Null at the end.')),
  },
  {
    title: 'ResentWebhooks',
    description: 'The number of events that are resent, or would be without `dry_run`.',
  },
)
export type ResentWebhooks = Static<typeof ResentWebhooks>
