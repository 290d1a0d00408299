import { useState } from 'react'
import { Choice, Field } from '../../kit/controls.tsx'
import { amountText, Facts } from '../../kit/display.tsx'
import type { Mode } from '../../kit/store/payment.ts'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { minus, plus } from '../numbers.ts'
import { useSession } from '../session.ts'
import type { Moved, Store } from '../types.ts'

type Props = { kind: 'fund' | 'payout'; store: Store; onDone: () => void }

/** Puts money on a store's balance, or pays it out; the balance before and after is shown first. */
export function MoveMoney({ kind, store, onDone }: Props) {
  const { say, locale } = useLanguage()
  const { ask } = useSession()
  const [mode, setMode] = useState<Mode>('live')
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  // The same form sent twice moves money once.
  const [key, setKey] = useState('')
  const { id, currency } = store
  const isPayout = kind === 'payout'
  const balance = store.balances?.find((one) => one.mode === mode)?.balance ?? '0.00'
  const after = isPayout ? minus(currency, balance, amount) : plus(currency, balance, amount)
  const isShort = after?.startsWith('-') === true
  const word = isPayout ? say('payOut') : say('fund')
  const text = (value: string) => amountText({ amount: value, currency, locale })
  return (
    <Act<Moved>
      label={word}
      title={`${word}: ${store.name}`}
      isDanger={isPayout}
      confirm={after === null ? word : `${word} ${text(amount)}`}
      isIncomplete={after === null || isShort}
      onOpen={() => {
        setKey(crypto.randomUUID())
        setAmount('')
      }}
      run={() => {
        const body = { mode, amount, ...(note === '' ? {} : { note }) }
        return ask(`stores/${id}/${kind}`, { method: 'POST', key, body })
      }}
      onDone={onDone}
    >
      <Choice<Mode>
        label={say('mode')}
        value={mode}
        onChange={setMode}
        options={[
          ['live', say('live')],
          ['sandbox', say('sandboxShort')],
        ]}
      />
      <Field
        label={say('amountIn', { currency })}
        value={amount}
        onChange={setAmount}
        inputMode="decimal"
        problem={isShort ? say('notCovered') : undefined}
      />
      <Field label={say('note')} value={note} onChange={setNote} />
      <Facts
        facts={[
          [say('balanceNow'), text(balance)],
          [say('balanceAfter'), after === null || isShort ? '–' : text(after)],
        ]}
      />
      {isPayout && <p className="small soft">{say('payoutNote')}</p>}
    </Act>
  )
}
