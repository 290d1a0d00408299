import type { DeliveryAttempt, EventWithAttempts } from '@florin/contract/webhooks.js'
import './delivery.css'
import { RelativeTime, Table } from '../console/Table.tsx'
import { Icon } from '../display.tsx'
import { useConsoleLanguage } from '../language.tsx'
import { LOCAL_TIME_ZONE } from '../time.ts'
import { useDeliveryError } from './deliveryErrors.ts'

const TONES = { waiting: 'pending', delivered: 'completed', exhausted: 'failed' } as const

type Props = { events: readonly EventWithAttempts[]; timeZone?: string }

/** The webhook events of a payment with their delivery attempts. */
export function WebhookEvents({ events, timeZone = LOCAL_TIME_ZONE }: Props) {
  const { translate } = useConsoleLanguage()
  if (events.length === 0) return <p className="soft">{translate('noEvents')}</p>
  return events.map((event) => <EventCard key={event.id} event={event} timeZone={timeZone} />)
}

function EventCard({ event, timeZone }: { event: EventWithAttempts; timeZone: string }) {
  const { translate } = useConsoleLanguage()
  const { state, url, attempts, next_attempt_at: next } = event
  return (
    <div className="card event">
      <div className="row">
        <code dir="ltr">{event.type}</code>
        {state !== 'not_wanted' && (
          <span className={`status tone-${TONES[state]}`}>
            <Icon name={TONES[state]} />
            {translate(`${state}Webhook`)}
          </span>
        )}
      </div>
      {url === null ? (
        <p className="soft">{translate('not_wantedWebhook')}</p>
      ) : (
        <p className="small soft event-url" dir="ltr">
          {url}
        </p>
      )}
      {next !== null && attempts.length > 0 && (
        <p className="small">
          {translate('nextAttempt')} <RelativeTime at={next} timeZone={timeZone} />
        </p>
      )}
      {attempts.length > 0 && (
        <Table
          label={translate('attempts')}
          rows={attempts}
          // Two attempts may have the same time, which has no fractions of a second.
          keyOf={(attempt) => `${attempt.at} ${attempts.indexOf(attempt)}`}
          columns={[
            [translate('time'), ({ at }) => <RelativeTime at={at} timeZone={timeZone} />],
            [translate('response'), (attempt) => <AttemptResponse attempt={attempt} />],
            [
              translate('duration'),
              ({ duration_ms: count }) => translate('milliseconds', { count }),
              'end',
              'extra',
            ],
          ]}
        />
      )}
    </div>
  )
}

function AttemptResponse({ attempt }: { attempt: DeliveryAttempt }) {
  const errorText = useDeliveryError()
  const { status_code: code, error, body } = attempt
  const head = code === null ? <span>{errorText(error ?? '')}</span> : <code dir="ltr">{code}</code>
  if (!body) return head
  return (
    <details className="attempt-response">
      <summary>{head}</summary>
      <pre className="code" dir="ltr">
        <code>{body}</code>
      </pre>
    </details>
  )
}
