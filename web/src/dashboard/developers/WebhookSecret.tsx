import { timeText } from '@florin/shared/time.js'
import { useState } from 'react'
import { Copy } from '../../kit/console/Copy.tsx'
import { Button } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Problem } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { parseTime } from '../../kit/time.ts'
import { AskFirst } from '../AskFirst.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { useSure } from '../useSure.tsx'

type Secret = { readonly webhook_secret: string; readonly previous_secret_until: string | null }

/** Hidden until it is asked for. */
export function WebhookSecret() {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { mode } = useDashboardPlace()
  const { askSure, passwordDialog } = useSure()
  const [secret, setSecret] = useState<Secret | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isAsking, setAsking] = useState(false)

  async function fetchSecret(path: string, method: 'GET' | 'POST'): Promise<Problem | null> {
    const answer = await askSure<Secret>(path, { method })
    if (!answer.ok) return answer.problem
    setSecret(answer.data)
    return null
  }
  const until = secret?.previous_secret_until
  const timeZone = who.store.time_zone

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
            <Copy text={secret.webhook_secret} />
          ) : (
            <Button
              look="quiet"
              onClick={() => void fetchSecret(`${mode}/webhook-secret`, 'GET').then(setProblem)}
            >
              {say('showSecret')}
            </Button>
          )}
          <Button look="quiet" onClick={() => setAsking(true)}>
            {say('newSecret')}
          </Button>
        </div>
      </div>
      {isAsking && (
        <AskFirst
          title={say('newWebhookSecretAsk')}
          note={say('newWebhookSecretNote')}
          action={say('newSecret')}
          close={() => setAsking(false)}
          act={() => fetchSecret(`${mode}/webhook-secret/rotate`, 'POST')}
        />
      )}
      {passwordDialog}
    </Card>
  )
}
