import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { amountText, Icon, Money } from '../kit/display.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Refund } from '../kit/store/payment.ts'
import { RefundFacts, useRefund, useRefundReason } from '../kit/store/Refund.tsx'
import { Frame } from './Frame.tsx'
import { Loading } from './Loading.tsx'
import { useLanguage } from './language.ts'
import { go, useKeys } from './route.ts'
import { useSession } from './session.tsx'

/** First what it comes to, in numbers; then one question; then it is done. */
export function RefundPage({ id }: { id: string }) {
  const { say, locale } = useLanguage()
  const { mode } = useSession()
  const { asked, isBusy, problem, done, refund } = useRefund(mode, id)
  const whyNot = useRefundReason()
  const [isAsking, setAsking] = useState(false)
  const preview = asked.data
  if (preview === null) return <Loading asked={asked} back={`#payment/${id}`} />
  const { currency } = preview
  const words = (amount: string) => amountText({ amount, currency, locale })
  const back = words(preview.refund_amount)

  if (done !== null) return <RefundDone id={id} currency={currency} refund={done} />
  return (
    <Frame title={say('refund')} back={`#payment/${id}`}>
      <div className="stack narrow">
        <div className="payment-head">
          <p className="soft">{say('payerGets')}</p>
          <Money amount={preview.refund_amount} currency={currency} locale={locale} isLarge />
        </div>
        <RefundFacts preview={preview} />
        {problem && <ProblemNote problem={problem} />}
        {preview.can_refund ? (
          <Button look="danger" isWide onClick={() => setAsking(true)}>
            {say('refundAmount', { amount: back })}
          </Button>
        ) : (
          <p className="notice tone-expired" role="alert">
            <Icon name="warning" />
            {whyNot(preview)}
          </p>
        )}
      </div>
      <Dialog title={say('refundAsk')} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>
          {say('refundAskNote', {
            amount: back,
            balance: words(preview.store_debit ?? preview.gross),
          })}
        </p>
        <div className="stack">
          <Button
            look="danger"
            isWide={true}
            autoFocus={true}
            isBusy={isBusy}
            onClick={() => void refund().then(() => setAsking(false))}
          >
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
