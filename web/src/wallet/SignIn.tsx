import { type FormEvent, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Card, Icon } from '../kit/display.tsx'
import { Page } from '../kit/Page.tsx'
import { type Answer, type Me, signIn, signInDemo } from './api.ts'
import { useLanguage } from './language.ts'

type Problem = 'signInWrong' | 'signInLocked' | 'signInTooMany' | 'noAnswer' | 'busy' | 'demoGone'
const PROBLEMS: Record<number, Problem> = {
  0: 'noAnswer',
  400: 'signInWrong',
  401: 'signInWrong',
  403: 'signInLocked',
  404: 'demoGone',
  429: 'signInTooMany',
}

const isDemo = document.getElementById('app')!.dataset.demo !== undefined

type Props = { hasEnded: boolean; onSignedIn: (me: Me) => void }

export function SignIn({ hasEnded, onSignedIn }: Props) {
  const language = useLanguage()
  const { say } = language
  const [phone, setPhone] = useState('')
  const [pin, setPin] = useState('')
  const [wasSent, setWasSent] = useState(false)
  const [busy, setBusy] = useState<'pin' | 'demo' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function enter(how: 'pin' | 'demo', ask: () => Promise<Answer<{ wallet: Me }>>) {
    setBusy(how)
    setProblem(null)
    const { status, data } = await ask()
    setBusy(null)
    if (data !== null) return onSignedIn(data.wallet)
    setProblem(PROBLEMS[status] ?? 'busy')
    setPin('')
    setWasSent(false)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasSent(true)
    if (busy === null && phone.trim() !== '' && pin !== '')
      void enter('pin', () => signIn(phone, pin))
  }

  return (
    <Page title={say('title')} language={language} isSandbox={false}>
      <Card>
        <form className="stack" onSubmit={submit} noValidate>
          {hasEnded && <p className="soft">{say('signedOut')}</p>}
          <Field
            label={say('phone')}
            help={say('phoneHelp')}
            type="tel"
            autoComplete="tel"
            value={phone}
            onChange={setPhone}
            problem={wasSent && phone.trim() === '' ? say('phoneMissing') : undefined}
          />
          <Field
            label={say('pin')}
            type="password"
            inputMode="numeric"
            autoComplete="current-password"
            value={pin}
            onChange={setPin}
            problem={wasSent && pin === '' && busy === null ? say('pinMissing') : undefined}
          />
          {problem && (
            <p className="field-problem" role="alert">
              <Icon name="warning" />
              {say(problem)}
            </p>
          )}
          <Button type="submit" isWide isBusy={busy === 'pin'}>
            {say('signIn')}
          </Button>
        </form>
      </Card>
      {isDemo && (
        <section className="demo stack">
          <Button
            look="quiet"
            isWide
            isBusy={busy === 'demo'}
            onClick={() => void enter('demo', signInDemo)}
          >
            <Icon name="wallet" />
            {say('tryDemo')}
          </Button>
          <p className="soft small">{say('demoNote')}</p>
        </section>
      )}
    </Page>
  )
}
