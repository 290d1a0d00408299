import { useState } from 'react'
import { Facts } from '../../kit/Facts.tsx'
import { Field } from '../../kit/Field.tsx'
import { amountText } from '../../kit/Money.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { isCurrency, minus, plus } from '../numbers.ts'
import { useSession } from '../session.ts'
import type { Moved, Wallet } from '../types.ts'

type Props = { kind: 'top-up' | 'withdraw'; wallet: Wallet; onDone: () => void }

/** Money enters or leaves a wallet; the balance before and after is shown first. */
export function MoveWalletMoney({ kind, wallet, onDone }: Props) {
  const { say, locale } = useLanguage()
  const { ask } = useSession()
  const [currency, setCurrency] = useState('')
  const [amount, setAmount] = useState('')
  // The same form sent twice moves money once.
  const [key, setKey] = useState('')
  const isOut = kind === 'withdraw'
  const isKnown = isCurrency(currency)
  const balance = wallet.balances.find((one) => one.currency === currency)?.balance ?? '0.00'
  const move = isOut ? minus : plus
  const after = isKnown ? move(currency, balance, amount) : null
  const isShort = after?.startsWith('-') === true
  const word = isOut ? say('withdraw') : say('topUp')
  const text = (value: string) => amountText({ amount: value, currency, locale })
  return (
    <Act<Moved>
      label={word}
      title={`${word}: ${wallet.name}`}
      isDanger={isOut}
      onDone={onDone}
      confirm={after === null ? word : `${word} ${text(amount)}`}
      isIncomplete={after === null || isShort}
      onOpen={() => {
        setKey(crypto.randomUUID())
        setAmount('')
        setCurrency(wallet.balances[0]?.currency ?? '')
      }}
      run={() => {
        const body = { currency, amount }
        return ask(`wallets/${wallet.wallet_id}/${kind}`, { method: 'POST', key, body })
      }}
    >
      <Field
        label={say('currency')}
        value={currency}
        maxLength={3}
        onChange={(typed) => setCurrency(typed.toUpperCase())}
      />
      <Field
        label={say('amount')}
        value={amount}
        onChange={setAmount}
        inputMode="decimal"
        problem={isShort ? say('notCovered') : undefined}
      />
      {isKnown && (
        <Facts
          facts={[
            [say('walletNow'), text(balance)],
            [say('walletAfter'), after === null || isShort ? '–' : text(after)],
          ]}
        />
      )}
    </Act>
  )
}
