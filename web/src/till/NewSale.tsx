import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon, useMoneyText } from '../kit/display.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Problem } from '../kit/request.ts'
import { navigate } from '../kit/router.ts'
import { isAboveZero, type Key, press, typedParts } from './amount.ts'
import { useCharge } from './charge.ts'
import { newDraft, useDraft } from './draft.ts'
import { Keypad } from './Keypad.tsx'
import { useKeys } from './keyboard.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

/** Amounts of up to twelve digits must fit on a phone. */
function sizeOf(major: string): 'short' | 'long' | 'longest' {
  if (major.length <= 5) return 'short'
  return major.length <= 9 ? 'long' : 'longest'
}

/** The amount, the note and the keypad of a new sale. */
export function NewSale() {
  const { say, locale } = useLanguage()
  const { id: storeId, currency } = useSession().account.store
  const decimals = decimalsOf(currency as CurrencyCode)
  const [draft, setDraft] = useDraft(storeId)
  const [problem, setProblem] = useState<Problem | null>(null)
  const moneyText = useMoneyText()
  const { charge, isCharging } = useCharge()
  const { typed, note, key } = draft
  const canCharge = isAboveZero(typed)

  function change(next: { typed?: string; note?: string }): void {
    if (isCharging) return
    setProblem(null)
    setDraft(newDraft(next.typed ?? typed, next.note ?? note))
  }
  const type = (pressed: Key) => change({ typed: press(typed, pressed, decimals) })

  async function submit(): Promise<void> {
    if (!canCharge || isCharging) return
    setProblem(null)
    const answer = await charge({ amount: typed, currency, note, key })
    if (!answer.ok) return setProblem(answer.problem)
    setDraft(newDraft())
    navigate(`sale/${answer.data.payment_id}`)
  }

  useKeys((pressed, isTyping) => {
    if (pressed === 'Enter') void submit()
    else if (pressed === 'Escape') change({ typed: '', note: '' })
    else if (isTyping) return false
    else if (pressed === 'Backspace') type('erase')
    else if (pressed === '.' || pressed === ',') type('.')
    else if (/^[0-9]$/.test(pressed)) type(pressed as Key)
    else return false
    return true
  })

  const { major, minor, rest } = typedParts(typed, decimals, locale)
  const amount = moneyText(typed || '0', currency)
  return (
    <div className="register">
      <p className="entry" role="status" aria-label={say('amount')}>
        <span className={`money entry-money entry-${sizeOf(major)}`}>
          <span className={typed === '' ? 'soft' : undefined}>{major}</span>
          <span className="money-minor">
            {minor}
            <span className="soft">{rest}</span>
          </span>
          <span className="money-currency"> {currency}</span>
        </span>
      </p>
      <label className="note">
        <span className="unseen">{say('note')}</span>
        <input
          className="field-input"
          value={note}
          maxLength={1000}
          placeholder={say('noteHelp')}
          onChange={(event) => change({ note: event.target.value })}
        />
        {(typed !== '' || note !== '') && (
          <button type="button" className="tool" onClick={() => change({ typed: '', note: '' })}>
            <Icon name="close" />
            <span className="unseen">{say('clear')}</span>
          </button>
        )}
      </label>
      {problem !== null && <ProblemNote problem={problem} />}
      <Keypad decimals={decimals} press={type} />
      <div className="charge">
        <Button isWide isBusy={isCharging} isDisabled={!canCharge} onClick={() => void submit()}>
          {canCharge ? say('chargeAmount', { amount }) : say('charge')}
        </Button>
      </div>
    </div>
  )
}
