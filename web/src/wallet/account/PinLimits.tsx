import type { Wallet } from '@florin/contract/wallet.js'
import { useState } from 'react'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { Button, Field } from '../../kit/controls.tsx'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { Form } from '../../kit/Form.tsx'
import { changeSettings } from '../api.ts'
import { useLanguage } from '../language.ts'

type Props = { me: Wallet; refresh: () => Promise<void> }

/** One limit for each currency in which the wallet has a balance or a limit. */
export function PinLimits({ me, refresh }: Props) {
  const { translate } = useLanguage()
  const currencies = [...me.balances, ...me.pin_limits].map(({ currency }) => currency)
  if (currencies.length === 0) return null
  return (
    <Disclosure title={translate('pinLimit')}>
      <div className="stack">
        <p className="soft small">{translate('pinLimitNote')}</p>
        {[...new Set(currencies)].map((currency) => (
          <PinLimit key={currency} currency={currency} me={me} refresh={refresh} />
        ))}
      </div>
    </Disclosure>
  )
}

type Note = 'saved' | 'needsPin' | 'wrongPin' | 'locked' | 'failed'

function PinLimit({ me, currency, refresh }: Props & { currency: string }) {
  const { translate } = useLanguage()
  const checks = useChecks()
  const stored = me.pin_limits.find((limit) => limit.currency === currency)?.amount ?? ''
  const [text, setText] = useState(stored)
  const [pin, setPin] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [note, setNote] = useState<Note | null>(null)
  const needsPin = note === 'needsPin' || note === 'wrongPin'

  async function save() {
    const amount = text.trim() === '' ? null : parseTypedAmount(text, currency)
    setBusy(true)
    const body = { pin_limit: { currency, amount }, ...(needsPin && { pin }) }
    const response = await changeSettings(me.wallet_id, body)
    setBusy(false)
    setPin('')
    if (response.ok) {
      setNote('saved')
      return refresh()
    }
    const { status, fields } = response.problem
    if (status === 401) return refresh()
    if (status === 428) setNote('needsPin')
    else if (fields.includes('pin')) setNote('wrongPin')
    else setNote(status === 403 ? 'locked' : 'failed')
  }

  return (
    <Form onSubmit={save}>
      <Field
        label={translate('limitIn', { currency })}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={setText}
        check={checks.amount(currency)}
      />
      {needsPin && (
        <Field
          key={note}
          label={translate('pin')}
          help={translate('limitNeedsPin')}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          value={pin}
          onChange={setPin}
          problem={note === 'wrongPin' && pin === '' ? translate('pinWrong') : undefined}
        />
      )}
      <div aria-live="polite">
        {note === 'saved' && <p>{translate('saved')}</p>}
        {note === 'locked' && <p className="field-problem">{translate('tooManyPins')}</p>}
        {note === 'failed' && <p className="field-problem">{translate('somethingFailed')}</p>}
      </div>
      <Button type="submit" look="quiet" isWide isBusy={isBusy}>
        {translate('save')}
      </Button>
    </Form>
  )
}
