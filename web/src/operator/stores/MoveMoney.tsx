import type { OperatorStore } from '@florin/contract/operator.js'
import type { Mode } from '@florin/server/core/ids.js'
import { useState } from 'react'
import { Field } from '../../kit/controls.tsx'
import { ModeSelect, MoneyForm } from '../forms.tsx'
import { useLanguage } from '../language.ts'

type Props = { kind: 'fund' | 'payout'; store: OperatorStore; onDone: () => void }

/** Funds a store's balance, or pays it out. */
export function MoveMoney({ kind, store, onDone }: Props) {
  const { say } = useLanguage()
  const [mode, setMode] = useState<Mode>('live')
  const [note, setNote] = useState('')
  const { id, currency } = store
  const isPayout = kind === 'payout'
  const label = isPayout ? say('payOut') : say('fund')
  return (
    <MoneyForm
      label={label}
      title={`${label}: ${store.name}`}
      path={`stores/${id}/${kind}`}
      isWithdrawal={isPayout}
      fields={note === '' ? { mode } : { mode, note }}
      currency={currency}
      balance={store.balances?.find((one) => one.mode === mode)?.balance ?? '0.00'}
      amountLabel={say('amountIn', { currency })}
      balanceLabels={[say('balanceNow'), say('balanceAfter')]}
      onDone={onDone}
      extra={
        <>
          <Field label={say('note')} name="note" value={note} onChange={setNote} />
          {isPayout && <p className="small soft">{say('payoutNote')}</p>}
        </>
      }
    >
      <ModeSelect value={mode} onChange={setMode} />
    </MoneyForm>
  )
}
