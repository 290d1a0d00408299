import { useState } from 'react'
import { Button } from '../../kit/controls.tsx'
import { Card, type Status, StatusBadge } from '../../kit/display.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Problem } from '../../kit/request.ts'
import { useAsked, useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import type { Tried } from '../types.ts'

type Attempt = {
  readonly at: string
  readonly duration_ms: number
  readonly status_code: number | null
  readonly error: string | null
}
type Webhooks = {
  readonly events: readonly { readonly id: string; readonly attempts: readonly Attempt[] }[]
}

const LOOK_EVERY_MS = 1_000

type Props = { tried: Tried; hasAddress: boolean }

/** What came back, the payer's part, and the webhook as it goes out. */
export function Outcome({ tried, hasAddress }: Props) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [status, setStatus] = useState<Status>('pending')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [playing, setPlaying] = useState<string | null>(null)

  async function play(outcome: 'completed' | 'error'): Promise<void> {
    setPlaying(outcome)
    const path = `sandbox/console/payments/${tried.payment_id}/pay`
    const answer = await ask<{ status: Status }>(path, { method: 'POST', body: { outcome } })
    setPlaying(null)
    if (answer.ok) setStatus(answer.data.status)
    else setProblem(answer.problem)
  }

  return (
    <Card label={say('theAnswer')}>
      <div className="step">
        <h2>{say('theAnswer')}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys. */}
        <pre className="code" dir="ltr" tabIndex={0}>
          {JSON.stringify({ message: 'Payment created', data: tried }, null, 2)}
        </pre>
      </div>
      <div className="step">
        <h2>{say('thePayer')}</h2>
        <div role="status">
          <StatusBadge status={status} word={say(status)} />
        </div>
        {status === 'pending' && (
          <>
            <p className="soft">{say('thePayerNote')}</p>
            <div className="buttons">
              <Button isBusy={playing === 'completed'} onClick={() => void play('completed')}>
                {say('playPay')}
              </Button>
              <Button look="quiet" isBusy={playing === 'error'} onClick={() => void play('error')}>
                {say('playFail')}
              </Button>
            </div>
          </>
        )}
        {problem && <ProblemNote problem={problem} />}
      </div>
      {status !== 'pending' && (
        <div className="step">
          <h2>{say('theWebhook')}</h2>
          {hasAddress ? <Attempts {...tried} /> : <p className="soft">{say('noAddress')}</p>}
        </div>
      )}
    </Card>
  )
}

function Attempts({ payment_id }: Tried) {
  const { say } = useLanguage()
  const path = `sandbox/payments/${payment_id}/webhooks`
  const { data } = useAsked<Webhooks>(path, LOOK_EVERY_MS)
  const attempts = data?.events.flatMap((event) => event.attempts) ?? []
  return (
    <>
      <p className="soft small">
        <bdi>{data?.events[0]?.id}</bdi>
      </p>
      <ul className="stack" aria-live="polite">
        {attempts.map(({ at, status_code, error, duration_ms }) => (
          <li key={at}>
            {status_code === null
              ? say('attemptFailed', { error: error ?? '' })
              : say('attemptAnswered', { status: status_code, ms: duration_ms })}
          </li>
        ))}
        {attempts.length === 0 && <li>{say('onItsWay')}</li>}
      </ul>
    </>
  )
}
