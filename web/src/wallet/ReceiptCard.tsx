import type { WalletPayment } from '@florin/contract/walletActivity.js'
import { type ReactNode, useEffect } from 'react'
import { Card, Facts, Icon, Money, useMoneyText, useTimeText } from '../kit/display.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { prepareSound } from '../kit/sound.ts'
import { isZero } from './amounts.ts'
import { useLanguage } from './language.ts'
import { Order } from './Order.tsx'
import { Reference } from './transfer.tsx'

const play = prepareSound()

type Props = {
  payment: WalletPayment
  isNew: boolean
  /** Shows the cashier that the payment is new. */
  proof: ReactNode
}

export function ReceiptCard({ payment, isNew, proof }: Props) {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  const timeText = useTimeText()
  const { currency, total, amount, donation_amount: donation, refund, status } = payment
  const { name: store } = payment.store
  const hasDonation = !isZero(donation)
  const text = (value: string) => moneyText(value, currency)
  useEffect(() => {
    if (!isNew) return
    navigator.vibrate?.([60, 40, 120])
    play('completed')
  }, [isNew])

  function summaryText(): string {
    if (refund !== null) return translate('refundedBy', { store })
    if (!hasDonation) return translate('paidTo', { store })
    return translate('paidToAndDonation', { amount: text(amount), store, donation: text(donation) })
  }

  return (
    <Card>
      <div className={proof ? 'paid' : undefined}>
        <StoreLogo storeId={payment.store_id} url={payment.store.logo} />
        <div className="outcome" role={isNew ? 'status' : undefined}>
          <span className={`outcome-icon outcome-${status}`}>
            <Icon name={status} />
          </span>
          <Money amount={refund?.refund_amount ?? total} currency={currency} isLarge />
          <p className="paid-to">{summaryText()}</p>
          {payment.link_title !== null && (
            <p className="paid-for">
              <bdi>{payment.link_title}</bdi>
            </p>
          )}
        </div>
        {proof}
      </div>
      <Order payment={payment} />
      <Facts
        facts={[
          [translate('paidAmount'), refund && <Money amount={amount} currency={currency} />],
          [
            translate('refundFee'),
            refund && <Money amount={refund.refund_fee} currency={currency} />,
          ],
          [
            translate('donationNotRefunded'),
            refund && hasDonation && <Money amount={donation} currency={currency} />,
          ],
          [translate('refundTime'), refund && timeText(refund.refunded_at)],
          [translate(refund === null ? 'time' : 'paidTime'), timeText(payment.paid_at)],
          [
            translate('reference'),
            payment.reference_id !== null && <bdi key="order">{payment.reference_id}</bdi>,
          ],
          [translate('kindPayment'), <Reference key="payment" id={payment.payment_id} />],
        ]}
      />
      <a className="more" href={`#shop/${payment.store_id}`}>
        {translate('paymentsAtShop')}
      </a>
    </Card>
  )
}
