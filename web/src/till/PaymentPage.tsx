import type { StorePayment } from '@florin/contract/store.js'
import { Button } from '../kit/controls.tsx'
import { Facts, Money, StatusBadge, useTimeText } from '../kit/display.tsx'
import { useResource } from '../kit/query.ts'
import { navigate } from '../kit/router.ts'
import { grossOf, groupDigits, lineTotal, shownStatus } from '../kit/store/payment.ts'
import { Frame, Loading } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

export function PaymentPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { mode, account } = useSession()
  const timeText = useTimeText(account.store.time_zone)
  const resource = useResource<StorePayment>(`${mode}/payments/${id}`)
  const payment = resource.data
  if (payment === null) return <Loading resource={resource} back="#sales" />

  const { currency, status, reference, refund } = payment
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  const isPaid = status === 'completed' || status === 'refunded'
  return (
    <Frame title={translate('sale')} back="#sales">
      <div className="payment">
        <div className="outcome payment-head">
          <Money amount={grossOf(payment)} currency={currency} isLarge />
          <StatusBadge status={shownStatus(payment)} />
        </div>
        <Facts
          facts={[
            [translate('time'), timeText(payment.paid_at ?? payment.created_at)],
            [translate('paidBy'), payment.user && <bdi key="payer">{payment.user.name}</bdi>],
            [translate('note'), reference.note && <bdi key="note">{reference.note}</bdi>],
            [translate('reference'), reference.id && <bdi key="reference">{reference.id}</bdi>],
            ...payment.products.map(
              (product) =>
                [
                  `${product.quantity} × ${product.name}`,
                  <Money
                    key={product.name}
                    amount={lineTotal(product, payment)}
                    currency={payment.request_amount.currency}
                  />,
                ] as const,
            ),
            [translate('fee'), isPaid && money(payment.transaction_fee)],
            [translate('youReceive'), status === 'completed' && money(payment.amount)],
            [translate('refundedOn'), refund && timeText(refund.refunded_at)],
            [translate('amountRefunded'), refund && money(refund.refund_amount)],
            [translate('number'), <bdi key="number">{groupDigits(payment.qr_code)}</bdi>],
            [translate('payment'), <bdi key="id">{id}</bdi>],
          ]}
        />
        <div className="payment-actions">
          {status === 'pending' && (
            <Button isWide onClick={() => navigate(`sale/${id}`)}>
              {translate('showCode')}
            </Button>
          )}
          {isPaid && (
            <Button isWide onClick={() => navigate(`receipt/${id}`)}>
              {translate('receipt')}
            </Button>
          )}
          {status === 'completed' && (
            <Button look="quiet" isWide onClick={() => navigate(`refund/${id}`)}>
              {translate('refund')}
            </Button>
          )}
        </div>
      </div>
    </Frame>
  )
}
