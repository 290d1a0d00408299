import type { Wallet } from '@florin/contract/wallet.js'
import { useState } from 'react'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { Button, Field } from '../../kit/controls.tsx'
import { Form } from '../../kit/Form.tsx'
import { changeSettings } from '../api.ts'
import { useLanguage } from '../language.ts'
import { Section } from './Section.tsx'

type Props = { me: Wallet; refresh: () => Promise<void> }

/** One limit for each currency that the wallet has or had money in. */
export function PinLimits({ me, refresh }: Props) {
  const { say } = useLanguage()
  const currencies = [...me.balances, ...me.pin_limits].map(({ currency }) => currency)
  if (currencies.length === 0) return null
  return (
    <Section title={say('pinLimit')}>
      <div className="stack">
        <p className="soft small">{say('pinLimitNote')}</p>
        {[...new Set(currencies)].map((currency) => (
          <PinLimit key={currency} currency={currency} me={me} refresh={refresh} />
        ))}
      </div>
    </Section>
  )
}

type Note = 'saved' | 'needsPin' | 'wrongPin' | 'locked' | 'failed'

function PinLimit({ me, currency, refresh }: Props & { currency: string }) {
  const { say } = useLanguage()
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
    const answer = await changeSettings(me.wallet_id, body)
    setBusy(false)
    setPin('')
    if (answer.ok) {
      setNote('saved')
      return refresh()
    }
    const { status, fields } = answer.problem
    if (status === 428) setNote('needsPin')
    else if (fields.includes('pin')) setNote('wrongPin')
    else setNote(status === 403 ? 'locked' : 'failed')
  }

  return (
    <Form onSubmit={save}>
      <Field
        label={say('limitIn', { currency })}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={setText}
        check={checks.amount(currency)}
      />
      {needsPin && (
        <Field
          key={note}
          label={say('pin')}
          help={say('limitNeedsPin')}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          value={pin}
          onChange={setPin}
          problem={note === 'wrongPin' && pin === '' ? say('pinWrong') : undefined}
        />
      )}
      <div aria-live="polite">
        {note === 'saved' && <p>{say('saved')}</p>}
        {note === 'locked' && <p className="field-problem">{say('pinTries')}</p>}
        {note === 'failed' && <p className="field-problem">{say('somethingFailed')}</p>}
      </div>
      <Button type="submit" look="quiet" isWide isBusy={isBusy}>
        {say('save')}
      </Button>
    </Form>
  )
}
