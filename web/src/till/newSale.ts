import type { TillSettings } from '@florin/contract/till.js'
import { useMemo, useState } from 'react'
import type { Problem } from '../kit/request.ts'
import { navigate } from '../kit/router.ts'
import { isAboveZero } from '../kit/typedAmount.ts'
import { addTip, isTooLargeToCharge, productsOf, type Tip, tipsOf, totalOf } from './basket.ts'
import { useCharge } from './charge.ts'
import { type Draft, type Entry, saveCharged, useDraft } from './draft.ts'
import { useLanguage } from './language.ts'
import { useMounted } from './mounted.ts'
import { useSession } from './session.tsx'

export type NewSaleState = {
  readonly draft: Draft
  /** The sum of the items and the typed amount. */
  readonly total: string
  /** Whether the total has more digits than a payment can have. */
  readonly isTooLarge: boolean
  readonly canCharge: boolean
  readonly isCharging: boolean
  readonly problem: Problem | null
  readonly change: (entry: Partial<Entry>) => void
  readonly clear: () => void
  /** The tips that the customer can choose. */
  readonly tips: readonly Tip[]
  /** Asks for the tip first, if there are tips. */
  readonly submit: () => void
  readonly chargeWith: (tip: Tip | null) => void
  /** Creates a payment to send to the customer. */
  readonly request: () => void
}

/** The sale that is being entered. */
export function useNewSale({ tip_percentages: percentages }: TillSettings): NewSaleState {
  const { translate } = useLanguage()
  const { id: storeId, currency } = useSession().account.store
  const [draft, setDraft] = useDraft(storeId, {
    custom: translate('customAmount'),
    tip: translate('tip'),
  })
  const [problem, setProblem] = useState<Problem | null>(null)
  const { charge, isCharging } = useCharge()
  const isMounted = useMounted()
  const { typed, note, lines, names, key } = draft
  const total = totalOf(draft, currency)
  const tips = useMemo(() => tipsOf(total, percentages, currency), [total, percentages, currency])
  const isTooLarge = isTooLargeToCharge(total, currency)
  const canCharge = isAboveZero(total) && !isTooLarge

  function change(entry: Partial<Entry>): void {
    if (isCharging) return
    setProblem(null)
    setDraft({ typed, note, lines, ...entry })
  }

  async function chargeWith(tip: Tip | null, isDayLong = false): Promise<void> {
    if (!canCharge || isCharging) return
    setProblem(null)
    const response = await charge({
      amount: addTip(total, tip, currency),
      currency,
      note,
      products: productsOf(draft, tip, names, currency),
      isDayLong,
      // A payment with another tip needs a key of its own, and so does a payment request.
      key: tip === null ? `${key}${isDayLong ? '-request' : ''}` : `${key}-${tip.percent}`,
    })
    // The sale stays on the keypad. Charging it again opens the same payment, because it has the same key.
    if (!isMounted.current) return
    if (!response.ok) return setProblem(response.problem)
    saveCharged(draft, response.data.payment_id)
    setDraft()
    // "Back" on the code screen opens the keypad, not the question for the tip. A request comes from the keypad.
    navigate(`sale/${response.data.payment_id}`, { replace: tips.length > 0 && !isDayLong })
  }

  return {
    draft,
    total,
    tips,
    isTooLarge,
    canCharge,
    isCharging,
    problem,
    change,
    clear: () => change({ typed: '', note: '', lines: [] }),
    submit: () => {
      if (!canCharge || isCharging) return
      if (tips.length > 0) navigate('tip')
      else void chargeWith(null)
    },
    chargeWith: (tip) => void chargeWith(tip),
    request: () => void chargeWith(null, true),
  }
}
