import type { OperatorStore } from '@florin/contract/operator.js'
import type { Mode } from '@florin/server/core/ids.js'
import { useState } from 'react'
import { Field } from '../../kit/controls.tsx'
import { ModeSelect, MoneyForm } from '../forms.tsx'
import { useLanguage } from '../language.ts'

type Props = { kind: 'fund' | 'payout'; store: OperatorStore; onDone: () => void }

/** Funds a store's balance, or pays it out. */
export function MoveMoney({ kind, store, onDone }: Props) {
  const { translate } = useLanguage()
  const [mode, setMode] = useState<Mode>('live')
  const [note, setNote] = useState('')
  const { id, currency } = store
  const isPayout = kind === 'payout'
  const label = isPayout ? translate('payOut') : translate('fund')
  return (
    <MoneyForm
      label={label}
      title={`${label}: ${store.name}`}
      path={`stores/${id}/${kind}`}
      isWithdrawal={isPayout}
      fields={note === '' ? { mode } : { mode, note }}
      currency={currency}
      balance={store.balances?.find((entry) => entry.mode === mode)?.balance ?? '0.00'}
      amountLabel={translate('amountIn', { currency })}
      balanceLabels={[translate('balanceNow'), translate('balanceAfter')]}
      onOpen={() => {
        setMode('live')
        setNote('')
      }}
      onDone={onDone}
      extra={
        <>
          <Field label={translate('note')} name="note" value={note} onChange={setNote} />
          {isPayout && <p className="small soft">{translate('payoutNote')}</p>}
        </>
      }
    >
      <ModeSelect value={mode} onChange={setMode} />
    </MoneyForm>
  )
}
