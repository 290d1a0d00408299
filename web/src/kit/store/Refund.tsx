import { useState } from 'react'
import { amountText, Facts, Money } from '../display.tsx'
import type { Problem } from '../request.ts'
import type { Asked } from '../resource.ts'
import { useLanguage } from '../staffLanguage.ts'
import type { Mode, Refund, RefundPreview } from './payment.ts'
import { useAsked, useSession } from './session.tsx'

export type Refunding = {
  readonly asked: Asked<RefundPreview>
  readonly isBusy: boolean
  readonly problem: Problem | null
  /** As the server did it: since the preview the fee may have changed, and the balance moved on. */
  readonly done: Refund | null
  readonly refund: () => Promise<void>
}

/** What a refund would come to, and making it. */
export function useRefund(mode: Mode, id: string): Refunding {
  const { ask } = useSession()
  const asked = useAsked<RefundPreview>(`${mode}/payments/${id}/refund`)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [done, setDone] = useState<Refund | null>(null)

  async function refund(): Promise<void> {
    setBusy(true)
    // There is one refund of a payment, so its id is the key: asked twice, it is done once.
    const call = { method: 'POST', key: `refund-${id}` } as const
    const answer = await ask<Refund>(`${mode}/payments/${id}/refund`, call)
    setBusy(false)
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok) setDone(answer.data)
    else asked.again()
  }
  return { asked, isBusy, problem, done, refund }
}

/** Its effect in numbers. */
export function RefundFacts({ preview }: { preview: RefundPreview }) {
  const { say, locale } = useLanguage()
  const { currency } = preview
  const money = (amount: string) => <Money amount={amount} currency={currency} locale={locale} />
  const waived = preview.refund_fee_waived
  return (
    <Facts
      facts={[
        [say('paid'), money(preview.gross)],
        [say('refundFee'), money(preview.refund_fee)],
        [say('feeWaived'), waived && Number(waived) > 0 ? money(waived) : null],
        [say('payerGets'), money(preview.refund_amount)],
        [say('balanceNow'), money(preview.store_balance)],
        [
          say('balanceAfter'),
          preview.store_balance_after && <strong>{money(preview.store_balance_after)}</strong>,
        ],
      ]}
    />
  )
}

/** Why it cannot be refunded, or not by who is signed in. */
export function useRefundReason(): (preview: RefundPreview) => string {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  return ({ reason, currency }) => {
    const cap = who.refund_cap
    if (reason === 'above_refund_cap' && cap !== null) {
      return say('aboveCap', { cap: amountText({ amount: cap, currency, locale }) })
    }
    return reason === null || reason === 'above_refund_cap' ? say('forbidden') : say(reason)
  }
}
