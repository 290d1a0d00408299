import { type FormEvent, useState } from 'react'
import { Copy } from '../../kit/console/Copy.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Problem } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import type { Tried } from '../types.ts'
import { Outcome } from './Outcome.tsx'

/** A sandbox payment from the request to the webhook, with everything that goes over the wire. */
export function TryOut() {
  const { say } = useLanguage()
  const { mode, setMode } = useDashboardPlace()
  if (mode === 'sandbox') return <TryInSandbox />
  return (
    <Empty title={say('tryInSandbox')}>
      <Button onClick={() => setMode('sandbox')}>{say('goToSandbox')}</Button>
    </Empty>
  )
}

function TryInSandbox() {
  const { say } = useLanguage()
  const { ask, who } = useSession()
  const [amount, setAmount] = useState('12.50')
  const [url, setUrl] = useState('')
  const [tried, setTried] = useState<Tried | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const webhook = url === '' ? {} : { webhook_url: url }
  const body = { amount: Number(amount), currency: who.store.currency, ...webhook }
  const curl = [
    `curl -X POST ${location.origin}/merchant/payment/create \\`,
    `  -H 'api-key: flk_sandbox_…' -H 'api-secret: fls_sandbox_…' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n')

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setTried(null)
    const call = { method: 'POST' as const, body }
    const answer = await ask<Tried>('sandbox/console/payments', call)
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok) setTried(answer.data)
  }

  return (
    <div className="two">
      <Card label={say('theRequest')}>
        <form className="stack" onSubmit={(event) => void send(event)}>
          <p className="soft">{say('tryIntro')}</p>
          <Field
            label={`${say('amount')} (${who.store.currency})`}
            inputMode="decimal"
            value={amount}
            onChange={setAmount}
            isRequired={true}
          />
          <Field
            label={say('webhookUrl')}
            help={say('webhookUrlHelp')}
            type="url"
            value={url}
            onChange={setUrl}
          />
          <div className="secret">
            <h2>{say('theRequest')}</h2>
            <pre className="code" dir="ltr">
              {curl}
            </pre>
            <div>
              <Copy text={curl} />
            </div>
          </div>
          {problem && <ProblemNote problem={problem} />}
          <Button type="submit" isWide isBusy={isBusy}>
            {say('send')}
          </Button>
        </form>
      </Card>
      {tried && <Outcome key={tried.payment_id} tried={tried} hasAddress={url !== ''} />}
    </div>
  )
}
