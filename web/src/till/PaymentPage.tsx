import { timeText } from '@florin/shared/time.js'
import { Button } from '../kit/controls.tsx'
import { Facts, Money, StatusBadge } from '../kit/display.tsx'
import { grossOf, inGroups, type Payment } from '../kit/store/payment.ts'
import { useAsked } from '../kit/store/session.tsx'
import { parseTime } from '../kit/time.ts'
import { Frame } from './Frame.tsx'
import { Loading } from './Loading.tsx'
import { useLanguage } from './language.ts'
import { go } from './route.ts'
import { useSession } from './session.tsx'

/** One sale: what, when, who, the money, and what can be done with it. */
export function PaymentPage({ id }: { id: string }) {
  const { say, locale } = useLanguage()
  const { mode, who } = useSession()
  const asked = useAsked<Payment>(`${mode}/payments/${id}`)
  const payment = asked.data
  if (payment === null) return <Loading asked={asked} back="#sales" />

  const { currency, status, reference, refund } = payment
  const place = { locale, timeZone: who.store.time_zone }
  const money = (amount: string) => <Money amount={amount} currency={currency} locale={locale} />
  const isPaid = status === 'completed' || status === 'refunded'
  return (
    <Frame title={say('sale')} back="#sales">
      <div className="stack narrow">
        <div className="payment-head">
          <Money amount={grossOf(payment)} currency={currency} locale={locale} isLarge />
          <StatusBadge status={status} word={say(status)} />
        </div>
        <Facts
          facts={[
            [say('time'), timeText(parseTime(payment.created_at), place)],
            [say('paidBy'), payment.user?.name],
            [say('note'), reference.note && <bdi key="note">{reference.note}</bdi>],
            [say('reference'), reference.id],
            ...payment.products.map(
              ({ name, quantity, price }) =>
                [
                  `${quantity} × ${name}`,
                  <Money
                    key={name}
                    amount={price}
                    currency={payment.request_amount.currency}
                    locale={locale}
                  />,
                ] as const,
            ),
            [say('fee'), isPaid && money(payment.transaction_fee)],
            [say('youReceive'), isPaid && money(payment.amount)],
            [say('refundedOn'), refund && timeText(parseTime(refund.refunded_at), place)],
            [say('payerGot'), refund && money(refund.refund_amount)],
            [say('number'), <bdi key="number">{inGroups(payment.qr_code)}</bdi>],
            [say('payment'), <bdi key="id">{id}</bdi>],
          ]}
        />
        {status === 'pending' && (
          <Button isWide onClick={() => go(`sale/${id}`)}>
            {say('showCode')}
          </Button>
        )}
        {isPaid && (
          <Button isWide onClick={() => go(`receipt/${id}`)}>
            {say('receipt')}
          </Button>
        )}
        {status === 'completed' && (
          <Button look="quiet" isWide onClick={() => go(`refund/${id}`)}>
            {say('refund')}
          </Button>
        )}
      </div>
    </Frame>
  )
}
