import type { StorePayment, StorePaymentList } from '@florin/contract/store.js'
import { isolate } from '@florin/shared/say.js'
import { useEffect, useRef, useState } from 'react'
import { Icon, useMoneyText } from '../kit/display.tsx'
import { useResource } from '../kit/query.ts'
import { grossOf } from '../kit/store/payment.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'
import { playOutcome } from './sound.ts'

/** More payments at once are in the list, but not announced. */
const MAX_NEW = 10
const SHOWN_MS = 12_000

/** Announces payments of links, such as the code at the counter, on every screen of the till. */
export function Arrivals() {
  const { say } = useLanguage()
  const { mode } = useSession()
  const moneyText = useMoneyText()
  const { data } = useResource<StorePaymentList>(
    `${mode}/payments?status=completed&limit=${MAX_NEW}`,
  )
  const known = useRef<ReadonlySet<string> | null>(null)
  const [shown, setShown] = useState<StorePayment | null>(null)
  useEffect(() => {
    if (data === null) return
    const before = known.current
    known.current = new Set(data.payments.map((payment) => payment.payment_id))
    // What was paid before the till was opened is no news.
    if (before === null) return
    const [newest] = data.payments.filter(
      (payment) => payment.link_id !== null && !before.has(payment.payment_id),
    )
    if (newest === undefined) return
    playOutcome('completed')
    setShown(newest)
  }, [data])
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])

  function textOf(payment: StorePayment): string {
    const amount = moneyText(grossOf(payment), payment.currency)
    const name = payment.user?.name
    return name
      ? say('arrived', { amount, name: isolate(name) })
      : say('arrivedUnnamed', { amount })
  }

  return (
    <div role="status" className="arrivals">
      {shown && (
        <a
          className="arrival tone-completed"
          href={`#payment/${shown.payment_id}`}
          onClick={() => setShown(null)}
        >
          <Icon name="completed" />
          <span>{textOf(shown)}</span>
        </a>
      )}
    </div>
  )
}
