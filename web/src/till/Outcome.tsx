import type { StorePayment } from '@florin/contract/store.js'
import type { ReactNode } from 'react'
import { Button } from '../kit/controls.tsx'
import { type FinalStatus, Icon, Money } from '../kit/display.tsx'
import { useKeys } from '../kit/keyboard.ts'
import { SandboxRibbon, useHeading } from '../kit/Page.tsx'
import { navigate } from '../kit/router.ts'
import { outcomeAmountOf } from '../kit/store/payment.ts'
import { useLanguage } from './language.ts'
import { ReceiptCode, receiptUrl } from './ReceiptCode.tsx'
import { useSession } from './session.tsx'

type Props = {
  payment: StorePayment
  status: FinalStatus
  renew: () => void
  isRenewing: boolean
  children: ReactNode
}

const isPaid = (status: FinalStatus) => status === 'completed' || status === 'refunded'

/** The outcome in full screen, readable from the customer's side. */
export function Outcome({ payment, status, renew, isRenewing, children }: Props) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const canRenew = !isPaid(status) && account.may.includes('create')
  const openNextSale = () => navigate('home')
  useKeys((key) => {
    if (key === 'Enter') (canRenew ? renew : openNextSale)()
    return key === 'Enter'
  })
  const { currency, payment_id: id, is_sandbox_transaction: isSandbox } = payment
  return (
    <OutcomeScreen
      status={status}
      amount={outcomeAmountOf(payment)}
      currency={currency}
      isSandbox={isSandbox}
      receiptUrl={receiptUrl(id)}
    >
      <p>{translate(`${status}Note`)}</p>
      {payment.reference.note && (
        <p className="code-note" dir="auto">
          {payment.reference.note}
        </p>
      )}
      {children}
      <div className="outcome-actions">
        {canRenew && (
          <Button isWide isBusy={isRenewing} onClick={renew}>
            {translate('newCode')}
          </Button>
        )}
        <Button isWide look={canRenew ? 'quiet' : 'primary'} onClick={openNextSale}>
          {translate('nextSale')}
        </Button>
        {isPaid(status) && (
          <Button isWide look="quiet" onClick={() => navigate(`receipt/${id}`)}>
            {translate('receipt')}
          </Button>
        )}
      </div>
    </OutcomeScreen>
  )
}

type ScreenProps = {
  status: FinalStatus
  amount: string
  currency: string
  isSandbox: boolean
  receiptUrl: string
  children?: ReactNode
}

/** For the till and for the customer screen. */
export function OutcomeScreen(props: ScreenProps) {
  const { status, amount, currency, isSandbox, receiptUrl: url, children } = props
  const { translate } = useLanguage()
  const title = translate(`${status}Title`)
  const heading = useHeading(title)
  return (
    <div className={`till outcome-screen outcome-${status} tone-${status}`}>
      {isSandbox && <SandboxRibbon />}
      <main className="outcome-main">
        <div className="outcome-body">
          <Icon name={status} />
          <div role="status">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            <p>
              <Money amount={amount} currency={currency} isLarge />
            </p>
          </div>
          {children}
        </div>
        {isPaid(status) && <ReceiptCode url={url} />}
      </main>
    </div>
  )
}
