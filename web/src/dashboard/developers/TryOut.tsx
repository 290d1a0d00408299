import type { CreatedPayment } from '@florin/contract/payments.js'
import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { useState } from 'react'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { CopyButton } from '../../kit/console/actions.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { Form } from '../../kit/Form.tsx'
import { useAction, useFields } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { basePath } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { typedOf } from '../../kit/typedAmount.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { SandboxPayment } from './SandboxPayment.tsx'

/** Creates a sandbox payment and shows each step: request, response, payment and webhook. */
export function TryOut() {
  const { translate } = useLanguage()
  const { mode, setMode } = useDashboardRoute()
  if (mode === 'sandbox') return <SandboxTrial />
  return (
    <Empty title={translate('tryInSandbox')}>
      <Button onClick={() => setMode('sandbox')}>{translate('goToSandbox')}</Button>
    </Empty>
  )
}

function SandboxTrial() {
  const { translate } = useLanguage()
  const { request, account } = useSession()
  const { currency } = account.store
  const decimals = decimalsOf(currency as CurrencyCode)
  const { fields, field } = useFields({ amount: typedOf('12.50', decimals), webhook_url: '' })
  const url = fields.webhook_url.trim()
  const checkAmount = useChecks().amount(currency, { isAboveZero: true })
  const typed = fields.amount === '' || checkAmount(fields.amount) ? null : fields.amount
  const [created, setCreated] = useState<CreatedPayment['data'] | null>(null)
  const [sentUrl, setSentUrl] = useState('')
  const webhook = url === '' ? {} : { webhook_url: url }
  const body = { amount: typed && Number(parseTypedAmount(typed, currency)), currency, ...webhook }
  const curl = [
    `curl -X POST ${location.origin}${basePath}/merchant/payment/create \\`,
    `  -H 'api-key: flk_sandbox_…' -H 'api-secret: fls_sandbox_…' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
  ].join('\n')

  const { isBusy, problem, start } = useAction(() => {
    setCreated(null)
    setSentUrl(url)
    return request<CreatedPayment['data']>('sandbox/console/payments', { method: 'POST', body })
  }, setCreated)

  return (
    <div className="columns">
      <Card label={translate('request')}>
        <Form onSubmit={start} problem={problem}>
          <p className="soft">{translate('tryIntro')}</p>
          <Field
            label={`${translate('amount')} (${currency})`}
            inputMode="decimal"
            {...field('amount')}
            isRequired
            check={checkAmount}
          />
          <Field
            label={translate('webhookUrl')}
            help={translate('webhookUrlHelp')}
            type="url"
            {...field('webhook_url')}
          />
          <div className="secret">
            <h2>{translate('request')}</h2>
            <pre className="code" dir="ltr">
              {curl}
            </pre>
            <div>
              <CopyButton text={curl} />
            </div>
          </div>
          {problem && <ProblemNote problem={problem} />}
          <Button type="submit" isWide isBusy={isBusy}>
            {translate('send')}
          </Button>
        </Form>
      </Card>
      {created && (
        <SandboxPayment key={created.payment_id} created={created} hasWebhookUrl={sentUrl !== ''} />
      )}
    </div>
  )
}
