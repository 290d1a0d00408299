import type { Wallet } from '@florin/contract/wallet.js'
import { LANGUAGE_NAMES, LOCALES } from '@florin/shared/locales.js'
import { useState } from 'react'
import { Checkbox, Select } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { Page } from '../../kit/Page.tsx'
import { changeSettings } from '../api.ts'
import { useLanguage } from '../language.ts'
import { BackToWallet } from '../navigation.tsx'
import { ChangePin } from './ChangePin.tsx'
import { Events } from './Events.tsx'
import { PinLimits } from './PinLimits.tsx'
import { Sessions } from './Sessions.tsx'
import './account.css'

type Props = { me: Wallet; refresh: () => Promise<void> }

export default function AccountPage({ me, refresh }: Props) {
  const { say } = useLanguage()
  return (
    <Page title={say('account')} isSandbox={me.mode === 'sandbox'}>
      <BackToWallet />
      <ChangePin me={me} />
      <PinLimits me={me} refresh={refresh} />
      {me.email !== '' && <Mails me={me} refresh={refresh} />}
      <Sessions me={me} refresh={refresh} />
      <Events />
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
    <Card>
      <section className="stack" aria-label={say('receipts')}>
        <h2>{say('receipts')}</h2>
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
      </section>
    </Card>
  )
}
