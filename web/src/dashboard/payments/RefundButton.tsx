import { useState } from 'react'
import { Loaded } from '../../kit/console/states.tsx'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { amountText, Icon } from '../../kit/display.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import { RefundFacts, useRefund, useRefundReason } from '../../kit/store/Refund.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'

type Props = { id: string; changed: () => void }

/** Opens what a refund would come to, in numbers; the button there is the one question. */
export function RefundButton({ id, changed }: Props) {
  const { say } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        <Icon name="refunded" />
        {say('refund')}
      </Button>
      <Dialog title={say('refundAsk')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Preview id={id} changed={changed} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Preview({ id, changed, close }: Props & { close: () => void }) {
  const { say, locale } = useLanguage()
  const { mode } = useDashboardPlace()
  const { asked, isBusy, problem, refund } = useRefund(mode, id)
  const whyNot = useRefundReason()
  return (
    <Loaded asked={asked} lines={4}>
      {(preview) => {
        const { currency } = preview
        const amount = amountText({ amount: preview.refund_amount, currency, locale })
        const balance = amountText({
          amount: preview.store_debit ?? preview.gross,
          currency,
          locale,
        })
        return (
          <>
            {preview.can_refund && <p>{say('refundAskNote', { amount, balance })}</p>}
            <RefundFacts preview={preview} />
            {problem && <ProblemNote problem={problem} />}
            {!preview.can_refund && (
              <p className="notice tone-expired" role="alert">
                <Icon name="warning" />
                {whyNot(preview)}
              </p>
            )}
            <div className="stack">
              {preview.can_refund && (
                <Button
                  look="danger"
                  isWide={true}
                  isBusy={isBusy}
                  onClick={() => void refund().then(changed)}
                >
                  {say('refundAmount', { amount })}
                </Button>
              )}
              <Button look="quiet" isWide onClick={close}>
                {say('keep')}
              </Button>
            </div>
          </>
        )
      }}
    </Loaded>
  )
}
