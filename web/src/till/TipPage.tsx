import type { TillSettings } from '@florin/contract/till.js'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { useKeys } from '../kit/keyboard.ts'
import { ProblemNote } from '../kit/problems.tsx'
import { navigate } from '../kit/router.ts'
import { subscribeToChoices, type TipChoice, updateDisplay } from './channel.ts'
import { useLanguage } from './language.ts'
import { useNewSale } from './newSale.ts'
import { useSession, useShop } from './session.tsx'
import { TipScreen } from './TipScreen.tsx'

/** The question for a tip, between the keypad and the code. The customer answers here or on the customer screen. */
export function TipPage({ settings }: { settings: TillSettings }) {
  const { translate } = useLanguage()
  const { currency } = useSession().account.store
  const shop = useShop()
  const { draft, total, tips, canCharge, isCharging, problem, chargeWith } = useNewSale(settings)
  const { key: saleKey } = draft

  const isAsking = canCharge && tips.length > 0
  // Decide only when the page opens: after the charge the amount is empty too, and the sale's code must open, not the keypad.
  const [isNeeded] = useState(isAsking)
  useEffect(() => {
    if (!isNeeded) navigate('home', { replace: true })
  }, [isNeeded])
  useEffect(() => {
    if (!isAsking) return
    updateDisplay({ kind: 'tip', ...shop, saleKey, amount: total, currency, tips })
  }, [isAsking, tips, shop, saleKey, total, currency])
  const onChoice = useEffectEvent((choice: TipChoice) => {
    if (choice.saleKey === saleKey) chargeWith(choice.tip)
  })
  useEffect(() => subscribeToChoices((choice) => onChoice(choice)), [])
  /** Not while the sale is charged: it could be changed or charged again before its code opens. */
  function goBack(): void {
    if (!isCharging) navigate('home')
  }
  useKeys((key) => {
    if (key === 'Escape') goBack()
    return key === 'Escape'
  })

  return (
    <TipScreen
      {...shop}
      amount={total}
      currency={currency}
      tips={tips}
      isBusy={isCharging}
      choose={chargeWith}
    >
      {problem && <ProblemNote problem={problem} noResponseText={translate('chargeNoResponse')} />}
      <Button look="quiet" isWide isDisabled={isCharging} onClick={goBack}>
        {translate('back')}
      </Button>
    </TipScreen>
  )
}
