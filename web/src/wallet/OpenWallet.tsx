import { useState } from 'react'
import { useChecks } from '../kit/checks.ts'
import { Button, Field } from '../kit/controls.tsx'
import { Card, Icon } from '../kit/display.tsx'
import { Form } from '../kit/Form.tsx'
import { useAction, useFields } from '../kit/form.ts'
import { Page } from '../kit/Page.tsx'
import { navigate } from '../kit/router.ts'
import { signUp } from './api.ts'
import { useLanguage } from './language.ts'
import { BackToWallet } from './navigation.tsx'

const PROBLEMS = { 0: 'noConnection', 429: 'signInTooMany' } as const

/** Requests a code by email. The response is the same for every address. */
export default function OpenWallet() {
  const { translate, locale } = useLanguage()
  const { field, trimFields } = useFields({ name: '', email: '', phone: '' })
  const checks = useChecks()
  const [isSent, setSent] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => signUp({ ...trimFields(), locale }),
    () => setSent(true),
  )
  if (isSent) {
    return (
      <Page title={translate('codeSent')} isSandbox={false}>
        <Card>
          <div className="stack" role="status">
            <p>{translate('codeSentNote', { email: trimFields().email })}</p>
            <Button isWide onClick={() => navigate('activate')}>
              {translate('enterCode')}
            </Button>
            <Button isWide look="quiet" onClick={() => setSent(false)}>
              {translate('changeEmail')}
            </Button>
          </div>
        </Card>
      </Page>
    )
  }
  return (
    <Page title={translate('openWallet')} isSandbox={false}>
      <BackToWallet />
      <Card>
        <Form onSubmit={start} problem={problem}>
          <Field label={translate('name')} autoComplete="name" {...field('name')} isRequired />
          <Field
            label={translate('email')}
            type="email"
            autoComplete="email"
            {...field('email')}
            isRequired
          />
          <Field
            label={translate('phone')}
            help={translate('phoneHelp')}
            type="tel"
            autoComplete="tel"
            {...field('phone')}
            isRequired
            check={checks.phone}
          />
          {problem && problem.errors.length === 0 && (
            <p className="field-problem" role="alert">
              <Icon name="warning" />
              {translate(PROBLEMS[problem.status as keyof typeof PROBLEMS] ?? 'somethingFailed')}
            </p>
          )}
          <Button type="submit" isWide isBusy={isBusy}>
            {translate('sendCode')}
          </Button>
        </Form>
      </Card>
    </Page>
  )
}
