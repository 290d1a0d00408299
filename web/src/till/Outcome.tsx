import type { ReactNode } from 'react'
import { Button } from '../kit/controls.tsx'
import { Icon, Money, type Status } from '../kit/display.tsx'
import { useHeading } from '../kit/heading.ts'
import { SandboxRibbon } from '../kit/Page.tsx'
import { grossOf, type Payment } from '../kit/store/payment.ts'
import { useLanguage } from './language.ts'
import { go, useKeys } from './route.ts'
import { useSession } from './session.tsx'

type Ended = Exclude<Status, 'pending'>

type Props = {
  payment: Payment
  status: Ended
  renew: () => void
  isRenewing: boolean
  children: ReactNode
}

/** How it ended, over the whole screen, to be seen from where the customer stands. */
export function Outcome({ payment, status, renew, isRenewing, children }: Props) {
  const { say } = useLanguage()
  const { who } = useSession()
  const isPaid = status === 'completed' || status === 'refunded'
  const canRenew = !isPaid && who.may.includes('create')
  const next = () => go('home')
  useKeys((key) => {
    if (key === 'Enter') (canRenew ? renew : next)()
    return key === 'Enter'
  })
  const { currency, payment_id: id, is_sandbox_transaction: isSandbox } = payment
  return (
    <OutcomeScreen
      status={status}
      amount={grossOf(payment)}
      currency={currency}
      isSandbox={isSandbox}
    >
      <p className="soft-on">{say(`${status}Note`)}</p>
      {payment.reference.note && (
        <p className="code-note" dir="auto">
          {payment.reference.note}
        </p>
      )}
      {children}
      <div className="outcome-actions">
        {canRenew && (
          <Button isWide isBusy={isRenewing} onClick={renew}>
            {say('newCode')}
          </Button>
        )}
        <Button isWide look={canRenew ? 'quiet' : 'primary'} onClick={next}>
          {say('nextSale')}
        </Button>
        {isPaid && (
          <Button isWide look="quiet" onClick={() => go(`receipt/${id}`)}>
            {say('receipt')}
          </Button>
        )}
      </div>
    </OutcomeScreen>
  )
}

type ScreenProps = {
  status: Ended
  amount: string
  currency: string
  isSandbox: boolean
  children?: ReactNode
}

/** The same for the cashier and for the customer's screen. */
export function OutcomeScreen({ status, amount, currency, isSandbox, children }: ScreenProps) {
  const { say, locale } = useLanguage()
  const title = say(`${status}Title`)
  const heading = useHeading(title)
  return (
    <div className={`till outcome outcome-${status} tone-${status}`}>
      {isSandbox && <SandboxRibbon word={say('sandbox')} note={say('sandboxNote')} />}
      <main className="outcome-main">
        <Icon name={status} />
        <div role="status">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p>
            <Money amount={amount} currency={currency} locale={locale} isLarge />
          </p>
        </div>
        {children}
      </main>
    </div>
  )
}
