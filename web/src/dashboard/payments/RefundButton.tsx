import { useState } from 'react'
import { Loaded } from '../../kit/console/states.tsx'
import { Button } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Icon, Notice, useMoneyText } from '../../kit/display.tsx'
import { ProblemNote } from '../../kit/problems.tsx'
import { RefundFacts, useRefund, useRefundReason } from '../../kit/store/Refund.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'

type Props = { id: string; onDone: () => void }

/** Opens a dialog with the effect of the refund and one button that confirms it. */
export function RefundButton({ id, onDone }: Props) {
  const { translate } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="caution" onClick={() => setOpen(true)}>
        <Icon name="refunded" />
        {translate('refund')}
      </Button>
      {isOpen && <RefundDialog id={id} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  )
}

function RefundDialog({ id, onDone, onClose }: Props & { onClose: () => void }) {
  const { translate } = useLanguage()
  const { mode } = useDashboardRoute()
  const moneyText = useMoneyText()
  const { preview, isBusy, problem, refund } = useRefund(mode, id)
  const reasonText = useRefundReason()
  return (
    <Dialog title={translate('refundAsk')} isOpen isBusy={isBusy} onClose={onClose}>
      <Loaded resource={preview} lines={4}>
        {(data) => {
          const amount = moneyText(data.refund_amount, data.currency)
          const balance = moneyText(data.store_debit ?? data.gross, data.currency)
          return (
            <>
              {data.can_refund && <p>{translate('refundAskNote', { amount, balance })}</p>}
              <RefundFacts preview={data} />
              {problem && (
                <ProblemNote problem={problem} noResponseText={translate('refundNoResponse')} />
              )}
              {!data.can_refund && (
                <Notice tone="expired" role="alert">
                  {reasonText(data)}
                </Notice>
              )}
              <div className="stack">
                {data.can_refund && (
                  <Button
                    look="danger"
                    isWide
                    isBusy={isBusy}
                    onClick={() => void refund().then(onDone)}
                  >
                    {translate('refundAmount', { amount })}
                  </Button>
                )}
                <Button look="quiet" isWide isDisabled={isBusy} onClick={onClose}>
                  {translate('keep')}
                </Button>
              </div>
            </>
          )
        }}
      </Loaded>
    </Dialog>
  )
}
