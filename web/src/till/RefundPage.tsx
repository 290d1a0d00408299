import { useState } from 'react'
import type { Problem } from '../app/request.ts'
import { Button } from '../design/Button.tsx'
import { Dialog } from '../design/Dialog.tsx'
import { Facts } from '../design/Facts.tsx'
import { Icon } from '../design/Icon.tsx'
import { amountText, Money } from '../design/Money.tsx'
import { ProblemNote } from '../people/Problem.tsx'
import type { Refund, RefundPreview } from '../people/payment.ts'
import { useAsked } from '../people/useAsked.ts'
import { Frame } from './Frame.tsx'
import { Loading } from './Loading.tsx'
import { useLanguage } from './language.ts'
import { go, useKeys } from './route.ts'
import { useSession } from './session.tsx'

/** First what it comes to, in numbers; then one question; then it is done. */
export function RefundPage({ id }: { id: string }) {
  const { say, locale } = useLanguage()
  const { mode, ask, who } = useSession()
  const asked = useAsked<RefundPreview>(`${mode}/payments/${id}/refund`)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [done, setDone] = useState<Refund | null>(null)
  const preview = asked.data
  if (preview === null) return <Loading asked={asked} back={`#payment/${id}`} />
  const { currency, reason } = preview
  const words = (amount: string) => amountText({ amount, currency, locale })
  const money = (amount: string) => <Money amount={amount} currency={currency} locale={locale} />
  const back = words(preview.refund_amount)

  async function refund(): Promise<void> {
    setBusy(true)
    // There is one refund of a payment, so its id is the key: asked twice, it is done once.
    const call = { method: 'POST', key: `refund-${id}` } as const
    const answer = await ask<Refund>(`${mode}/payments/${id}/refund`, call)
    setBusy(false)
    setAsking(false)
    setProblem(answer.ok ? null : answer.problem)
    if (answer.ok) setDone(answer.data)
    else asked.again()
  }

  function whyNot(): string {
    const cap = who.refund_cap
    if (reason === 'above_refund_cap' && cap !== null) return say('aboveCap', { cap: words(cap) })
    return reason === null || reason === 'above_refund_cap' ? say('forbidden') : say(reason)
  }

  if (done !== null) return <RefundDone {...{ id, currency }} refund={done} />
  return (
    <Frame title={say('refund')} back={`#payment/${id}`}>
      <div className="stack narrow">
        <div className="payment-head">
          <p className="soft">{say('payerGets')}</p>
          <Money amount={preview.refund_amount} currency={currency} locale={locale} isLarge />
        </div>
        <Facts
          facts={[
            [say('paid'), money(preview.gross)],
            [say('refundFee'), money(preview.refund_fee)],
            [say('payerGets'), money(preview.refund_amount)],
            [say('balanceNow'), money(preview.store_balance)],
            [
              say('balanceAfter'),
              preview.store_balance_after && <strong>{money(preview.store_balance_after)}</strong>,
            ],
          ]}
        />
        {problem && <ProblemNote problem={problem} />}
        {preview.can_refund ? (
          <Button look="danger" isWide onClick={() => setAsking(true)}>
            {say('refundAmount', { amount: back })}
          </Button>
        ) : (
          <p className="notice tone-expired" role="alert">
            <Icon name="warning" />
            {whyNot()}
          </p>
        )}
      </div>
      <Dialog title={say('refundAsk')} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{say('refundAskNote', { amount: back, balance: words(preview.gross) })}</p>
        <div className="stack">
          <Button look="danger" isWide autoFocus isBusy={isBusy} onClick={() => void refund()}>
            {say('refundAmount', { amount: back })}
          </Button>
          <Button look="quiet" isWide onClick={() => setAsking(false)}>
            {say('keep')}
          </Button>
        </div>
      </Dialog>
    </Frame>
  )
}

type DoneProps = { id: string; currency: string; refund: Refund }

/** As the server did it: since the preview the fee may have changed, and the balance moved on. */
function RefundDone({ id, currency, refund }: DoneProps) {
  const { say, locale } = useLanguage()
  useKeys((key) => {
    if (key === 'Enter') go('home')
    return key === 'Enter'
  })
  return (
    <Frame title={say('refund')} back="#sales">
      <div className="done narrow tone-refunded" role="status">
        <span className="done-icon">
          <Icon name="refunded" />
        </span>
        <h2>{say('refundDone')}</h2>
        <Money amount={refund.refund_amount} currency={currency} locale={locale} isLarge />
        <p className="soft">
          {say('refundFee')}: {amountText({ amount: refund.refund_fee, currency, locale })}
        </p>
      </div>
      <div className="stack narrow">
        <Button isWide onClick={() => go('home')}>
          {say('nextSale')}
        </Button>
        <Button look="quiet" isWide onClick={() => go(`receipt/${id}`)}>
          {say('receipt')}
        </Button>
      </div>
    </Frame>
  )
}
