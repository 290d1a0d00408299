import type { Wallet } from '@florin/contract/wallet.js'
import { LANGUAGE_NAMES, LOCALES } from '@florin/shared/locales.js'
import { useRef, useState } from 'react'
import { Button, Checkbox, Select } from '../../kit/controls.tsx'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { Card, Facts } from '../../kit/display.tsx'
import { Page } from '../../kit/Page.tsx'
import { changeSettings, signOut } from '../api.ts'
import { useLanguage } from '../language.ts'
import { useFocusOnHeading } from '../navigation.tsx'
import { ChangePin } from './ChangePin.tsx'
import { Events } from './Events.tsx'
import { PinLimits } from './PinLimits.tsx'
import { Sessions } from './Sessions.tsx'
import './account.css'

type Props = { me: Wallet; refresh: () => Promise<void> }

type PageProps = Props & { onSignedOut: () => void }

export default function AccountPage({ me, refresh, onSignedOut }: PageProps) {
  const { translate } = useLanguage()
  useFocusOnHeading('account')
  const [changes, setChanges] = useState(0)
  /** After a change, which the sessions and events also show. Also leads to the sign-in page if the session has ended. */
  const showChange = async () => {
    setChanges((before) => before + 1)
    await refresh()
  }
  return (
    <Page title={translate('account')} isSandbox={me.mode === 'sandbox'}>
      <Card>
        <Facts
          facts={[
            [translate('name'), <bdi key="name">{me.name}</bdi>],
            [translate('phone'), <bdi key="phone">{me.phone}</bdi>],
            [translate('email'), me.email !== '' && <bdi key="email">{me.email}</bdi>],
            [
              translate('title'),
              <span key="wallet" className="reference">
                {me.wallet_id}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card>
        <ChangePin me={me} refresh={showChange} />
        <PinLimits me={me} refresh={showChange} />
        {me.email !== '' && <Mails me={me} refresh={showChange} />}
        <Sessions me={me} refresh={refresh} changes={changes} onEnded={showChange} />
        <Events changes={changes} />
      </Card>
      <SignOut me={me} onSignedOut={onSignedOut} />
    </Page>
  )
}

function Mails({ me, refresh }: Props) {
  const { translate, locale } = useLanguage()
  const saved = useRef({ mail_receipts: me.mail_receipts, locale: me.locale ?? locale })
  // Optimistic: shown before the server responds, and reverted if it refuses.
  const [shown, setShown] = useState(saved.current)
  const [failed, setFailed] = useState<keyof typeof shown | null>(null)
  // One change after the other, so that the last one is the one that is saved.
  const lastChange = useRef(Promise.resolve())

  function change<Key extends keyof typeof shown>(key: Key, value: (typeof shown)[Key]): void {
    setFailed((before) => (before === key ? null : before))
    setShown((current) => ({ ...current, [key]: value }))
    lastChange.current = lastChange.current.then(() => save(key, value))
  }

  async function save<Key extends keyof typeof shown>(
    key: Key,
    value: (typeof shown)[Key],
  ): Promise<void> {
    const response = await changeSettings(me.wallet_id, { [key]: value })
    if (response.ok) {
      saved.current = { ...saved.current, [key]: value }
      return refresh()
    }
    if (response.problem.status === 401) return refresh()
    setFailed(key)
    // Keep another value that the payer has chosen meanwhile.
    setShown((current) =>
      current[key] === value ? { ...current, [key]: saved.current[key] } : current,
    )
  }

  return (
    <Disclosure title={translate('mails')}>
      <div className="stack">
        <Checkbox
          label={translate('mailReceipts', { email: me.email })}
          isChecked={shown.mail_receipts}
          onChange={(isChecked) => change('mail_receipts', isChecked)}
        />
        <Select
          label={translate('mailLanguage')}
          value={shown.locale}
          options={LOCALES.map((option) => [option, LANGUAGE_NAMES[option]] as const)}
          onChange={(chosen) => change('locale', chosen)}
        />
        {failed !== null && (
          <p className="field-problem" role="alert">
            {translate('somethingFailed')}
          </p>
        )}
      </div>
    </Disclosure>
  )
}

function SignOut({ me, onSignedOut }: Pick<PageProps, 'me' | 'onSignedOut'>) {
  const { translate } = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<'noConnection' | 'somethingFailed' | null>(null)

  async function leave() {
    setBusy(true)
    const response = await signOut(me.wallet_id)
    setBusy(false)
    if (response.ok || response.problem.status === 401) return onSignedOut()
    setProblem(response.problem.status === 0 ? 'noConnection' : 'somethingFailed')
  }

  return (
    <>
      {problem && (
        <p className="field-problem" role="alert">
          {translate(problem)}
        </p>
      )}
      <Button isWide look="quiet" isBusy={isBusy} onClick={() => void leave()}>
        {translate('signOut')}
      </Button>
    </>
  )
}
