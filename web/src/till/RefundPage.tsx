import type { Refund } from '@florin/contract/payments.js'
import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Icon, Money, Notice, useMoneyText } from '../kit/display.tsx'
import { useKeys } from '../kit/keyboard.ts'
import { ProblemNote } from '../kit/problems.tsx'
import { navigate } from '../kit/router.ts'
import { RefundFacts, useRefund, useRefundReason } from '../kit/store/Refund.tsx'
import { Frame, Loading } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

/** The effect of the refund, one confirmation, and the result. */
export function RefundPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { mode } = useSession()
  const moneyText = useMoneyText()
  const { preview: resource, isBusy, problem, result, refund } = useRefund(mode, id)
  const reasonText = useRefundReason()
  const [isConfirming, setConfirming] = useState(false)
  const preview = resource.data
  if (preview === null) return <Loading resource={resource} back={`#payment/${id}`} />
  const { currency } = preview
  const text = (amount: string) => moneyText(amount, currency)
  const refundText = text(preview.refund_amount)

  if (result !== null) return <RefundDone id={id} currency={currency} refund={result} />
  return (
    <Frame title={translate('refund')} back={`#payment/${id}`}>
      <div className="stack narrow">
        <div className="outcome payment-head">
          <p className="soft">{translate('payerGets')}</p>
          <Money amount={preview.refund_amount} currency={currency} isLarge />
        </div>
        <RefundFacts preview={preview} isAmountShown />
        {problem && preview.reason !== 'already_refunded' && (
          <ProblemNote problem={problem} noResponseText={translate('refundNoResponse')} />
        )}
        {preview.can_refund ? (
          <Button look="danger" isWide onClick={() => setConfirming(true)}>
            {translate('refundAmount', { amount: refundText })}
          </Button>
        ) : (
          <Notice tone="expired" role="alert">
            {reasonText(preview)}
          </Notice>
        )}
      </div>
      <Dialog
        title={translate('refundAsk')}
        isOpen={isConfirming}
        isBusy={isBusy}
        onClose={() => setConfirming(false)}
      >
        <p>
          {translate('refundAskNote', {
            amount: refundText,
            balance: text(preview.store_debit ?? preview.gross),
          })}
        </p>
        <div className="stack">
          <Button
            look="danger"
            isWide
            autoFocus
            isBusy={isBusy}
            onClick={() => void refund().then(() => setConfirming(false))}
          >
            {translate('refundAmount', { amount: refundText })}
          </Button>
          <Button look="quiet" isWide isDisabled={isBusy} onClick={() => setConfirming(false)}>
            {translate('keep')}
          </Button>
        </div>
      </Dialog>
    </Frame>
  )
}

type DoneProps = { id: string; currency: string; refund: Refund }

function RefundDone({ id, currency, refund }: DoneProps) {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  useKeys((key) => {
    if (key === 'Enter') navigate('home')
    return key === 'Enter'
  })
  return (
    <Frame title={translate('refund')} back="#sales">
      <div className="stack narrow">
        <div className="outcome payment-head tone-refunded" role="status">
          <span className="done-icon">
            <Icon name="refunded" />
          </span>
          <h2>{translate('refundDone')}</h2>
          <Money amount={refund.refund_amount} currency={currency} isLarge />
          <p className="soft">
            {translate('refundFee')}: {moneyText(refund.refund_fee, currency)}
          </p>
        </div>
        <Button isWide onClick={() => navigate('home')}>
          {translate('nextSale')}
        </Button>
        <Button look="quiet" isWide onClick={() => navigate(`receipt/${id}`)}>
          {translate('receipt')}
        </Button>
      </div>
    </Frame>
  )
}
