import type { CreatedPayment, PaymentStatus } from '@florin/contract/payments.js'
import type { PaymentWebhooks } from '@florin/contract/webhooks.js'
import type { Status } from '@florin/server/core/payment.js'
import { useState } from 'react'
import { Button } from '../../kit/controls.tsx'
import { Card, StatusBadge } from '../../kit/display.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { useResource } from '../../kit/query.ts'
import { useDeliveryError } from '../../kit/store/deliveryErrors.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

const REFRESH_MS = 1_000

/** What the simulated payer does. */
type Outcome = 'completed' | 'error'

type Props = { created: CreatedPayment['data']; hasWebhookUrl: boolean }

/** The response, the actions of the payer, and the attempts to deliver the webhook. */
export function SandboxPayment({ created, hasWebhookUrl }: Props) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [status, setStatus] = useState<Status>('pending')
  const [chosen, setChosen] = useState<Outcome | null>(null)
  const {
    isBusy,
    problem,
    start: simulate,
  } = useAction(
    (outcome: Outcome) => {
      setChosen(outcome)
      const path = `sandbox/console/payments/${created.payment_id}/pay`
      return request<PaymentStatus>(path, { method: 'POST', body: { outcome } })
    },
    (data) => setStatus(data.status),
  )

  return (
    <Card label={translate('response')}>
      <div className="step">
        <h2>{translate('response')}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the focus when a keyboard is used. */}
        <pre className="code" dir="ltr" tabIndex={0}>
          {JSON.stringify({ message: 'Payment created', data: created }, null, 2)}
        </pre>
      </div>
      <div className="step">
        <h2>{translate('payer')}</h2>
        <div role="status">
          <StatusBadge status={status} />
        </div>
        {status === 'pending' && (
          <>
            <p className="soft">{translate('sandboxPayerNote')}</p>
            <div className="buttons">
              <Button
                isBusy={isBusy && chosen === 'completed'}
                onClick={() => void simulate('completed')}
              >
                {translate('sandboxPay')}
              </Button>
              <Button
                look="quiet"
                isBusy={isBusy && chosen === 'error'}
                onClick={() => void simulate('error')}
              >
                {translate('sandboxFail')}
              </Button>
            </div>
          </>
        )}
        {problem && <ProblemNote problem={problem} />}
      </div>
      {status !== 'pending' && (
        <div className="step">
          <h2>{translate('webhook')}</h2>
          {hasWebhookUrl ? (
            <Attempts paymentId={created.payment_id} />
          ) : (
            <p className="soft">{translate('noWebhookUrl')}</p>
          )}
        </div>
      )}
    </Card>
  )
}

function Attempts({ paymentId }: { paymentId: string }) {
  const { translate } = useLanguage()
  const errorText = useDeliveryError()
  const path = `sandbox/payments/${paymentId}/webhooks`
  const { data } = useResource<PaymentWebhooks>(path, REFRESH_MS)
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
              ? translate('attemptFailed', { error: errorText(error ?? '') })
              : translate('attemptResponse', { status: status_code, ms: duration_ms })}
          </li>
        ))}
        {attempts.length === 0 && <li>{translate('sending')}</li>}
      </ul>
    </>
  )
}
