import type {
  DeliveryAttempt,
  EventWithAttempts,
  PaymentWebhooks,
} from '@florin/contract/webhooks.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { useState } from 'react'
import { Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Button } from '../../kit/controls.tsx'
import { Icon } from '../../kit/display.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Resource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

const TONES = { waiting: 'pending', delivered: 'completed', exhausted: 'failed' } as const

/** The webhook events of a payment, their delivery attempts, and a button to resend them. */
export function Webhooks({
  path,
  resource,
}: {
  path: string
  resource: Resource<PaymentWebhooks>
}) {
  const { say } = useLanguage()
  const { request, account } = useSession()
  const [isResent, setResent] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => request(`${path}/webhooks/redeliver`, { method: 'POST' }).finally(resource.reload),
    () => setResent(true),
  )

  const canResend = mayOpen(account.person.role, 'developers')
  return (
    <section className="section" aria-label={say('webhooks')}>
      <h2>{say('webhooks')}</h2>
      {problem && <ProblemNote problem={problem} />}
      <Loaded resource={resource} lines={2}>
        {({ events }) => (
          <>
            {events.length === 0 && <p className="soft">{say('noEvents')}</p>}
            {events.map((event) => (
              <EventCard key={event.id} event={event} />
            ))}
            {canResend && events.some((event) => event.url !== null) && (
              <div className="filters-line">
                <Button look="quiet" isBusy={isBusy} onClick={() => void start()}>
                  <Icon name="again" />
                  {say('resend')}
                </Button>
                <span role="status" className="small soft">
                  {isResent && !problem && say('sendingNow')}
                </span>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function EventCard({ event }: { event: EventWithAttempts }) {
  const { say } = useLanguage()
  const { account } = useSession()
  const { state, url, attempts, next_attempt_at: next } = event
  const zone = account.store.time_zone
  return (
    <div className="card event">
      <div className="row">
        <code dir="ltr">{event.type}</code>
        {state !== 'not_wanted' && (
          <span className={`status tone-${TONES[state]}`}>
            <Icon name={TONES[state]} />
            {say(`${state}Webhook`)}
          </span>
        )}
      </div>
      {url === null ? (
        <p className="soft">{say('not_wantedWebhook')}</p>
      ) : (
        <p className="small soft event-url" dir="ltr">
          {url}
        </p>
      )}
      {next !== null && attempts.length > 0 && (
        <p className="small">
          {say('nextAttempt')} <When at={next} timeZone={zone} />
        </p>
      )}
      {attempts.length > 0 && (
        <Table
          label={say('attempts')}
          rows={attempts}
          keyOf={({ at }) => at}
          columns={[
            [say('time'), ({ at }) => <When at={at} timeZone={zone} />],
            [say('answer'), (attempt) => <AttemptAnswer attempt={attempt} />],
            [say('took'), ({ duration_ms: ms }) => <span dir="ltr">{ms} ms</span>, 'end', 'extra'],
          ]}
        />
      )}
    </div>
  )
}

function AttemptAnswer({ attempt }: { attempt: DeliveryAttempt }) {
  const { status_code: code, error, body } = attempt
  const head = <code dir="ltr">{code ?? error}</code>
  if (!body) return head
  return (
    <details className="answer">
      <summary>{head}</summary>
      <pre className="code" dir="ltr">
        <code>{body}</code>
      </pre>
    </details>
  )
}
