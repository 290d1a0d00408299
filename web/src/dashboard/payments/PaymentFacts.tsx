import type { PaymentAudit } from '@florin/contract/overview.js'
import type { StorePayment } from '@florin/contract/store.js'
import { isolate } from '@florin/shared/translate.js'
import { type Fact, Facts, Money, useMoneyText, useTimeText } from '../../kit/display.tsx'
import { withoutStore } from '../../kit/store/actor.ts'
import { groupDigits, lineTotal } from '../../kit/store/payment.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { LinkTitle } from '../links/LinkTitle.tsx'

type PaymentActor = NonNullable<PaymentAudit['created_by']>
type PaymentFactsProps = { payment: StorePayment; audit: PaymentAudit | null }

/** The order, the amounts, the payer, and who created, refunded or cancelled the payment. */
export function PaymentFacts({ payment, audit }: PaymentFactsProps) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { currency, reference, user, client, refund, request_amount: requested } = payment
  const moneyText = useMoneyText()
  const money = (amount: string, code = currency) => <Money amount={amount} currency={code} />
  const timeText = useTimeText(account.store.time_zone)
  const isPaid = payment.status === 'completed' || payment.status === 'refunded'
  const converted =
    requested.currency !== currency &&
    `${moneyText(requested.amount, requested.currency)} × ${requested.conversion_rate}`
  const actorText = ({ name, api_key: key }: PaymentActor) => {
    if (key === null) return withoutStore(name)
    const isolated = { label: isolate(name), key: isolate(key) }
    return translate(name === '' ? 'byUnnamedApiKey' : 'byApiKey', isolated)
  }
  return (
    <div className="columns">
      <section className="card" aria-label={translate('details')}>
        <h2>{translate('details')}</h2>
        <Facts
          facts={[
            [translate('reference'), text(reference.id)],
            [translate('note'), text(reference.note)],
            ...payment.products.map(
              (product): Fact => [
                `${product.quantity} × ${product.name}`,
                money(lineTotal(product, payment), requested.currency),
              ],
            ),
            [translate('converted'), converted],
            [translate('fee'), isPaid && money(payment.transaction_fee)],
            [translate('youReceive'), payment.status === 'completed' && money(payment.amount)],
            [
              translate('donation'),
              Number(payment.donation_amount) > 0 && money(payment.donation_amount),
            ],
            [translate('amountRefunded'), refund && money(refund.refund_amount)],
            [translate('refundFee'), refund && money(refund.refund_fee)],
            [translate('link'), payment.link_id && <LinkTitle id={payment.link_id} />],
            [translate('createdAt'), timeText(payment.created_at)],
            [translate('createdBy'), audit?.created_by && <bdi>{actorText(audit.created_by)}</bdi>],
            [
              translate('refundedBy'),
              audit?.refunded_by && <bdi>{actorText(audit.refunded_by)}</bdi>,
            ],
            [
              translate('cancelledBy'),
              audit?.cancelled_by && <bdi>{actorText(audit.cancelled_by)}</bdi>,
            ],
            [translate('expiresAt'), payment.status === 'pending' && timeText(payment.expires_at)],
            [translate('number'), <bdi key="number">{groupDigits(payment.qr_code)}</bdi>],
            [translate('paymentId'), <bdi key="id">{payment.payment_id}</bdi>],
          ]}
        />
      </section>
      <section className="card" aria-label={translate('payer')}>
        <h2>{translate('payer')}</h2>
        {user === null && (
          <p className="soft">
            {translate(payment.status === 'pending' ? 'notPaidYet' : 'notPaid')}
          </p>
        )}
        <Facts
          facts={[
            [translate('payer'), text(user?.name)],
            [translate('email'), text(user?.email)],
            [translate('phone'), text(user?.phone)],
            [translate('walletId'), text(user?.wallet_id)],
          ]}
        />
        {client && <h3>{translate('client')}</h3>}
        <Facts
          facts={[
            [translate('name'), text(client?.name)],
            [translate('email'), text(client?.email)],
            [
              translate('phone'),
              client && text(`${client.phone_dial_code ?? ''} ${client.phone}`.trim()),
            ],
          ]}
        />
      </section>
    </div>
  )
}

/** Text of customers and merchants keeps its own direction. */
const text = (value: string | null | undefined) => value && <bdi>{value}</bdi>
