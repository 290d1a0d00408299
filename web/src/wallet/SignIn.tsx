import type { Wallet, WalletSession } from '@florin/contract/wallet.js'
import { type FormEvent, useState } from 'react'
import { useChecks } from '../kit/checks.ts'
import { Button, Field } from '../kit/controls.tsx'
import { Card, Icon } from '../kit/display.tsx'
import { NeedsHttps } from '../kit/NeedsHttps.tsx'
import { Page } from '../kit/Page.tsx'
import type { ApiResponse, Problem } from '../kit/request.ts'
import { AccessProblem } from './AccessProblem.tsx'
import { signIn, signInDemo } from './api.ts'
import { useLanguage } from './language.ts'

const PROBLEMS = { 400: 'signInWrong', 401: 'signInWrong', 404: 'demoUnavailable' } as const

const { demo, signup } = document.getElementById('app')!.dataset
const isDemo = demo !== undefined
const canSignUp = signup !== undefined

type Props = { hasExpired: boolean; onSignedIn: (me: Wallet) => void }

export function SignIn({ hasExpired, onSignedIn }: Props) {
  const { translate } = useLanguage()
  const checks = useChecks()
  const [phone, setPhone] = useState('')
  const [pin, setPin] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const [busy, setBusy] = useState<'pin' | 'demo' | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function signInBy(method: 'pin' | 'demo', send: () => Promise<ApiResponse<WalletSession>>) {
    setBusy(method)
    setProblem(null)
    const response = await send()
    setBusy(null)
    if (response.ok) return onSignedIn(response.data.wallet)
    setProblem(response.problem)
    setPin('')
    setSubmitted(false)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (busy === null && phone.trim() !== '' && pin !== '')
      void signInBy('pin', () => signIn(phone, pin))
  }

  return (
    <Page title={translate('title')} isSandbox={false}>
      <Card>
        <form className="stack" onSubmit={submit} noValidate>
          <NeedsHttps />
          {hasExpired && <p className="soft">{translate('sessionEnded')}</p>}
          <Field
            label={translate('phone')}
            help={translate('phoneHelp')}
            type="tel"
            autoComplete="tel"
            value={phone}
            onChange={setPhone}
            check={checks.phone}
            problem={isSubmitted && phone.trim() === '' ? translate('phoneMissing') : undefined}
          />
          <Field
            label={translate('pin')}
            type="password"
            inputMode="numeric"
            autoComplete="current-password"
            value={pin}
            onChange={setPin}
            problem={
              isSubmitted && pin === '' && busy === null ? translate('pinMissing') : undefined
            }
          />
          {problem && <AccessProblem problem={problem} texts={PROBLEMS} />}
          <Button type="submit" isWide isBusy={busy === 'pin'}>
            {translate('signIn')}
          </Button>
        </form>
      </Card>
      <p className="sign-in-links">
        <a className="more" href="#activate">
          {translate('haveCode')}
        </a>
        {canSignUp && (
          <a className="more" href="#open">
            {translate('openWallet')}
          </a>
        )}
      </p>
      <p className="soft small sign-in-help">{translate('forgotPin')}</p>
      {isDemo && (
        <section className="demo stack">
          <Button
            look="quiet"
            isWide
            isBusy={busy === 'demo'}
            onClick={() => void signInBy('demo', signInDemo)}
          >
            <Icon name="wallet" />
            {translate('tryDemo')}
          </Button>
          <p className="soft small">{translate('demoNote')}</p>
        </section>
      )}
    </Page>
  )
}
