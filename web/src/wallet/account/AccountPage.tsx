import type { Wallet } from '@florin/contract/wallet.js'
import { LANGUAGE_NAMES, LOCALES } from '@florin/shared/locales.js'
import { useState } from 'react'
import { Button, Checkbox, Select } from '../../kit/controls.tsx'
import { Card, Facts } from '../../kit/display.tsx'
import { Page } from '../../kit/Page.tsx'
import { changeSettings, signOut } from '../api.ts'
import { useLanguage } from '../language.ts'
import { useFocusOnHeading } from '../navigation.tsx'
import { ChangePin } from './ChangePin.tsx'
import { Events } from './Events.tsx'
import { PinLimits } from './PinLimits.tsx'
import { Section } from './Section.tsx'
import { Sessions } from './Sessions.tsx'
import './account.css'

type Props = { me: Wallet; refresh: () => Promise<void> }

type PageProps = Props & { onSignedOut: () => void }

export default function AccountPage({ me, refresh, onSignedOut }: PageProps) {
  const { say } = useLanguage()
  useFocusOnHeading('account')
  return (
    <Page title={say('account')} isSandbox={me.mode === 'sandbox'}>
      <Card>
        <Facts
          facts={[
            [say('name'), <bdi key="name">{me.name}</bdi>],
            [say('phone'), <bdi key="phone">{me.phone}</bdi>],
            [say('email'), me.email !== '' && <bdi key="email">{me.email}</bdi>],
            [
              say('title'),
              <span key="wallet" className="reference">
                {me.wallet_id}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card>
        <ChangePin me={me} />
        <PinLimits me={me} refresh={refresh} />
        {me.email !== '' && <Mails me={me} refresh={refresh} />}
        <Sessions me={me} refresh={refresh} />
        <Events />
      </Card>
      <SignOut me={me} onSignedOut={onSignedOut} />
    </Page>
  )
}

function Mails({ me, refresh }: Props) {
  const { say, locale } = useLanguage()
  const stored = { mail_receipts: me.mail_receipts, locale: me.locale ?? locale }
  // Optimistic: shown before the server responds, and reverted if it refuses.
  const [shown, setShown] = useState(stored)
  const [hasFailed, setFailed] = useState(false)

  async function change(body: Partial<typeof stored>): Promise<void> {
    setShown({ ...shown, ...body })
    const answer = await changeSettings(me.wallet_id, body)
    setFailed(!answer.ok)
    if (answer.ok) return refresh()
    setShown(stored)
  }

  return (
    <Section title={say('receipts')}>
      <div className="stack">
        <Checkbox
          label={say('mailReceipts', { email: me.email })}
          isChecked={shown.mail_receipts}
          onChange={(mail_receipts) => void change({ mail_receipts })}
        />
        <Select
          label={say('mailLanguage')}
          value={shown.locale}
          options={LOCALES.map((one) => [one, LANGUAGE_NAMES[one]] as const)}
          onChange={(chosen) => void change({ locale: chosen })}
        />
        {hasFailed && (
          <p className="field-problem" role="alert">
            {say('somethingFailed')}
          </p>
        )}
      </div>
    </Section>
  )
}

function SignOut({ me, onSignedOut }: Pick<PageProps, 'me' | 'onSignedOut'>) {
  const { say } = useLanguage()
  const [isBusy, setBusy] = useState(false)

  async function leave() {
    setBusy(true)
    const answer = await signOut(me.wallet_id)
    setBusy(false)
    if (answer.ok || answer.problem.status === 401) onSignedOut()
  }

  return (
    <Button isWide look="quiet" isBusy={isBusy} onClick={() => void leave()}>
      {say('signOut')}
    </Button>
  )
}
