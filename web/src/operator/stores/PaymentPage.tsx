import type { OperatorPayment } from '@florin/contract/business.js'
import type { PaymentAudit } from '@florin/contract/overview.js'
import type { PaymentWebhooks } from '@florin/contract/webhooks.js'
import { listHref } from '../../kit/console/listMemory.ts'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { type Fact, Facts, Money, StatusBadge, useTimeText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { basePath } from '../../kit/request.ts'
import { grossOf, lineTotal, modeWord, shownStatus } from '../../kit/store/payment.ts'
import { Timeline } from '../../kit/store/Timeline.tsx'
import { WebhookEvents } from '../../kit/store/WebhookEvents.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../route.ts'

/** A payment of a store, for an operator: what happened, and who did it. */
export function PaymentPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const path = `payments/${encodeURIComponent(id)}`
  const payment = useResource<OperatorPayment>(path)
  const audit = useResource<PaymentAudit>(`${path}/audit`)
  const webhooks = useResource<PaymentWebhooks>(`${path}/webhooks`)
  const store = payment.data?.store_id
  const back =
    store === undefined ? hrefTo('stores') : listHref(hrefTo('stores', String(store), 'payments'))
  return (
    <PageFrame
      title={translate('payment')}
      back={back}
      actions={
        payment.data?.status === 'pending' && (
          <a className="button button-quiet" href={`${basePath}/pay/${id}`}>
            {translate('openCheckout')}
          </a>
        )
      }
    >
      <Loaded resource={payment} back={back}>
        {(details) => (
          <>
            <div className="row">
              <Money amount={grossOf(details)} currency={details.currency} isLarge />
              <StatusBadge status={shownStatus(details)} />
            </div>
            <PaymentFacts payment={details} audit={audit.data} />
            <Timeline payment={details} events={webhooks.data?.events ?? []} />
            <section className="section" aria-label={translate('webhooks')}>
              <h2>{translate('webhooks')}</h2>
              <Loaded resource={webhooks} lines={2}>
                {({ events }) => <WebhookEvents events={events} />}
              </Loaded>
            </section>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

type FactsProps = { payment: OperatorPayment; audit: PaymentAudit | null }

function PaymentFacts({ payment, audit }: FactsProps) {
  const { translate } = useLanguage()
  const timeText = useTimeText()
  const { store, user, client, reference, refund, currency } = payment
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  const text = (value: string | null | undefined) => value && <bdi>{value}</bdi>
  const isPaid = payment.status === 'completed' || payment.status === 'refunded'
  return (
    <div className="columns">
      <section className="card" aria-label={translate('details')}>
        <h2>{translate('details')}</h2>
        <Facts
          facts={[
            [
              translate('store'),
              <a key="store" href={hrefTo('stores', String(payment.store_id))} dir="auto">
                {store.name}
              </a>,
            ],
            [
              translate('mode'),
              translate(modeWord(payment.is_sandbox_transaction ? 'sandbox' : 'live')),
            ],
            [translate('reference'), text(reference.id)],
            [translate('note'), text(reference.note)],
            ...payment.products.map(
              (product): Fact => [
                `${product.quantity} × ${product.name}`,
                <Money
                  key="total"
                  amount={lineTotal(product, payment)}
                  currency={payment.request_amount.currency}
                />,
              ],
            ),
            [translate('fee'), isPaid && money(payment.transaction_fee)],
            [translate('netAmount'), payment.status === 'completed' && money(payment.amount)],
            [
              translate('activity_donation'),
              Number(payment.donation_amount) > 0 && money(payment.donation_amount),
            ],
            [translate('amountRefunded'), refund && money(refund.refund_amount)],
            [translate('refundFee'), refund && money(refund.refund_fee)],
            [translate('createdAt'), timeText(payment.created_at)],
            [translate('createdBy'), text(audit?.created_by?.name)],
            [translate('refundedBy'), text(audit?.refunded_by?.name)],
            [translate('cancelledBy'), text(audit?.cancelled_by?.name)],
            [translate('paymentId'), <code key="id">{payment.payment_id}</code>],
          ]}
        />
      </section>
      {(user ?? client) && (
        <section className="card" aria-label={translate('payer')}>
          <h2>{translate('payer')}</h2>
          <Facts
            facts={[
              [
                translate('wallet'),
                user && (
                  <a key="wallet" href={hrefTo('wallets', user.wallet_id)} dir="auto">
                    {user.name}
                  </a>
                ),
              ],
              [translate('name'), text(client?.name)],
              [translate('email'), text(client?.email ?? user?.email)],
              [translate('phone'), text(client?.phone ?? user?.phone)],
            ]}
          />
        </section>
      )}
    </div>
  )
}
