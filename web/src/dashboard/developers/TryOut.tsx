import type { CreatedPayment } from '@florin/contract/payments.js'
import { type FormEvent, useState } from 'react'
import { CopyButton } from '../../kit/console/actions.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Problem } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { SandboxPayment } from './SandboxPayment.tsx'

/** Creates a sandbox payment and shows each step: request, answer, payment and webhook. */
export function TryOut() {
  const { say } = useLanguage()
  const { mode, setMode } = useDashboardRoute()
  if (mode === 'sandbox') return <SandboxTrial />
  return (
    <Empty title={say('tryInSandbox')}>
      <Button onClick={() => setMode('sandbox')}>{say('goToSandbox')}</Button>
    </Empty>
  )
}

function SandboxTrial() {
  const { say } = useLanguage()
  const { request, account } = useSession()
  const [amount, setAmount] = useState('12.50')
  const [url, setUrl] = useState('')
  const [created, setCreated] = useState<CreatedPayment['data'] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const webhook = url === '' ? {} : { webhook_url: url }
  const body = { amount: Number(amount), currency: account.store.currency, ...webhook }
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
    setCreated(null)
    const call = { method: 'POST' as const, body }
    const answer = await request<CreatedPayment['data']>('sandbox/console/payments', call)
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok) setCreated(answer.data)
  }

  return (
    <div className="two">
      <Card label={say('theRequest')}>
        <form className="stack" onSubmit={(event) => void send(event)}>
          <p className="soft">{say('tryIntro')}</p>
          <Field
            label={`${say('amount')} (${account.store.currency})`}
            inputMode="decimal"
            value={amount}
            onChange={setAmount}
            isRequired
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
              <CopyButton text={curl} />
            </div>
          </div>
          {problem && <ProblemNote problem={problem} />}
          <Button type="submit" isWide isBusy={isBusy}>
            {say('send')}
          </Button>
        </form>
      </Card>
      {created && (
        <SandboxPayment key={created.payment_id} created={created} hasWebhookUrl={url !== ''} />
      )}
    </div>
  )
}
