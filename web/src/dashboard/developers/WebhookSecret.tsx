import type { WebhookSecret as SecretData } from '@florin/contract/developers.js'
import { timeText } from '@florin/shared/time.js'
import { useState } from 'react'
import { ActionButton, CopyButton } from '../../kit/console/actions.tsx'
import { Button } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Problem } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { useReauthentication } from '../useReauthentication.tsx'

/** The webhook secret, hidden until the user asks for it. */
export function WebhookSecret() {
  const { say, locale } = useLanguage()
  const { account } = useSession()
  const { mode } = useDashboardRoute()
  const { requestConfirmed, passwordDialog } = useReauthentication()
  const [secret, setSecret] = useState<SecretData | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function reveal(): Promise<void> {
    const answer = await requestConfirmed<SecretData>(`${mode}/webhook-secret`)
    if (answer.ok) setSecret(answer.data)
    setProblem(answer.ok ? null : answer.problem)
  }
  const until = secret?.previous_secret_until
  const timeZone = account.store.time_zone

  return (
    <Card label={say('webhookSecret')}>
      <h2>{say('webhookSecret')}</h2>
      <div className="stack">
        <p className="soft">{say('webhookSecretHelp')}</p>
        {secret && (
          <div className="secret">
            <code className="code" dir="ltr">
              {secret.webhook_secret}
            </code>
            {until && (
              <p className="soft small">
                {say('bothSign', { time: timeText(parseTime(until), { locale, timeZone }) })}
              </p>
            )}
          </div>
        )}
        {problem && <ProblemNote problem={problem} />}
        <div className="buttons">
          {secret ? (
            <CopyButton text={secret.webhook_secret} />
          ) : (
            <Button look="quiet" onClick={() => void reveal()}>
              {say('showSecret')}
            </Button>
          )}
          <ActionButton<SecretData>
            label={say('newSecret')}
            title={say('newWebhookSecretAsk')}
            run={() => requestConfirmed(`${mode}/webhook-secret/rotate`, { method: 'POST' })}
            onDone={setSecret}
          >
            <p>{say('newWebhookSecretNote')}</p>
          </ActionButton>
        </div>
      </div>
      {passwordDialog}
    </Card>
  )
}
