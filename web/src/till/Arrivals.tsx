import type { StorePayment, StorePaymentList } from '@florin/contract/store.js'
import { isolate } from '@florin/shared/translate.js'
import { useEffect, useRef, useState } from 'react'
import { Icon, useMoneyText } from '../kit/display.tsx'
import { useResource } from '../kit/query.ts'
import { useRoute } from '../kit/router.ts'
import { grossOf } from '../kit/store/payment.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'
import { playOutcome } from './sound.ts'

const MAX_LOADED = 10
/** If more payments arrive at once, the others are only in the list of sales. */
const MAX_SHOWN = 3
const SHOWN_MS = 12_000

/** Announces payments of links, such as the code at the counter, on every screen of the till. */
export function Arrivals() {
  const { translate } = useLanguage()
  const { mode } = useSession()
  const moneyText = useMoneyText()
  const [screen] = useRoute().path
  // Another customer looks at these screens: don't cover the code, and don't name the payer.
  const isForCustomer = screen === 'sale' || screen === 'tip'
  const { data } = useResource<StorePaymentList>(
    `${mode}/payments?status=completed&limit=${MAX_LOADED}`,
  )
  /** The newest payment of a link so far. Ids are in the order of creation, and a link is paid when its payment is created. */
  const newestId = useRef<string | null>(null)
  const [shown, setShown] = useState<readonly StorePayment[]>([])
  useEffect(() => {
    if (data === null) return
    const before = newestId.current
    const linked = data.payments.filter((payment) => payment.link_id !== null)
    const [newest = ''] = linked.map((payment) => payment.payment_id)
    if (before === null || newest > before) newestId.current = newest
    // Don't announce payments from before the till was opened.
    if (before === null || newest <= before) return
    playOutcome('completed')
    setShown(linked.filter((payment) => payment.payment_id > before).slice(0, MAX_SHOWN))
  }, [data])
  useEffect(() => {
    if (shown.length === 0) return
    const timer = setTimeout(() => setShown([]), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])

  function textOf(payment: StorePayment): string {
    const amount = moneyText(grossOf(payment), payment.currency)
    const name = payment.user?.name
    return name && !isForCustomer
      ? translate('arrived', { amount, name: isolate(name) })
      : translate('arrivedUnnamed', { amount })
  }

  return (
    <div role="status" className={isForCustomer ? 'arrivals arrivals-corner' : 'arrivals'}>
      {shown.map((payment) => (
        <a
          key={payment.payment_id}
          className="arrival tone-completed"
          href={`#payment/${payment.payment_id}`}
          onClick={() => setShown([])}
        >
          <Icon name="completed" />
          <span>{textOf(payment)}</span>
        </a>
      ))}
    </div>
  )
}
