import type { WebhookSecret as SecretData } from '@florin/contract/developers.js'
import { useState } from 'react'
import { ActionButton, CopyButton } from '../../kit/console/actions.tsx'
import { Button } from '../../kit/controls.tsx'
import { Card, useTimeText } from '../../kit/display.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'

/** The webhook secret, hidden until the user asks for it. */
export function WebhookSecret() {
  const { translate } = useLanguage()
  const { account, request } = useSession()
  const { mode } = useDashboardRoute()
  const timeText = useTimeText(account.store.time_zone)
  const [secret, setSecret] = useState<SecretData | null>(null)
  const { problem, start } = useAction(
    () => request<SecretData>(`${mode}/webhook-secret`),
    setSecret,
  )
  const until = secret?.previous_secret_until

  return (
    <Card label={translate('webhookSecret')}>
      <h2>{translate('webhookSecret')}</h2>
      <div className="stack">
        <p className="soft">{translate('webhookSecretHelp')}</p>
        {secret && (
          <div className="secret">
            <code className="code" dir="ltr">
              {secret.webhook_secret}
            </code>
            {until && (
              <p className="soft small">{translate('bothSign', { time: timeText(until) })}</p>
            )}
          </div>
        )}
        {problem && <ProblemNote problem={problem} />}
        <div className="buttons">
          {secret ? (
            <CopyButton text={secret.webhook_secret} />
          ) : (
            <Button look="quiet" onClick={() => void start()}>
              {translate('showSecret')}
            </Button>
          )}
          <ActionButton<SecretData>
            label={translate('newSecret')}
            title={translate('newWebhookSecretAsk')}
            noResponseText={translate('webhookSecretNoResponse')}
            run={() => request(`${mode}/webhook-secret/rotate`, { method: 'POST' })}
            onDone={setSecret}
          >
            <p>{translate('newWebhookSecretNote')}</p>
          </ActionButton>
        </div>
      </div>
    </Card>
  )
}
