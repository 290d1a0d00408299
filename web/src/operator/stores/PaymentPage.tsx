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
  const { say } = useLanguage()
  const path = `payments/${encodeURIComponent(id)}`
  const payment = useResource<OperatorPayment>(path)
  const audit = useResource<PaymentAudit>(`${path}/audit`)
  const webhooks = useResource<PaymentWebhooks>(`${path}/webhooks`)
  const store = payment.data?.store_id
  const back =
    store === undefined ? hrefTo('stores') : listHref(hrefTo('stores', String(store), 'payments'))
  return (
    <PageFrame
      title={say('payment')}
      back={back}
      actions={
        payment.data?.status === 'pending' && (
          <a className="button button-quiet" href={`${basePath}/pay/${id}`}>
            {say('openCheckout')}
          </a>
        )
      }
    >
      <Loaded resource={payment} back={back}>
        {(known) => (
          <>
            <div className="row">
              <Money amount={grossOf(known)} currency={known.currency} isLarge />
              <StatusBadge status={shownStatus(known)} />
            </div>
            <PaymentFacts payment={known} audit={audit.data} />
            <Timeline payment={known} events={webhooks.data?.events ?? []} />
            <section className="section" aria-label={say('webhooks')}>
              <h2>{say('webhooks')}</h2>
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
  const { say } = useLanguage()
  const time = useTimeText()
  const { store, user, client, reference, refund, currency } = payment
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  const text = (value: string | null | undefined) => value && <bdi>{value}</bdi>
  const isPaid = payment.status === 'completed' || payment.status === 'refunded'
  return (
    <div className="columns">
      <section className="card" aria-label={say('details')}>
        <h2>{say('details')}</h2>
        <Facts
          facts={[
            [
              say('store'),
              <a key="store" href={hrefTo('stores', String(payment.store_id))} dir="auto">
                {store.name}
              </a>,
            ],
            [say('mode'), say(modeWord(payment.is_sandbox_transaction ? 'sandbox' : 'live'))],
            [say('reference'), text(reference.id)],
            [say('note'), text(reference.note)],
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
            [say('fee'), isPaid && money(payment.transaction_fee)],
            [say('netAmount'), payment.status === 'completed' && money(payment.amount)],
            [
              say('activity_donation'),
              Number(payment.donation_amount) > 0 && money(payment.donation_amount),
            ],
            [say('payerGot'), refund && money(refund.refund_amount)],
            [say('refundFee'), refund && money(refund.refund_fee)],
            [say('createdAt'), time(payment.created_at)],
            [say('createdBy'), text(audit?.created_by?.name)],
            [say('refundedBy'), text(audit?.refunded_by?.name)],
            [say('paymentId'), <code key="id">{payment.payment_id}</code>],
          ]}
        />
      </section>
      {(user ?? client) && (
        <section className="card" aria-label={say('payer')}>
          <h2>{say('payer')}</h2>
          <Facts
            facts={[
              [
                say('wallet'),
                user && (
                  <a key="wallet" href={hrefTo('wallets', user.wallet_id)} dir="auto">
                    {user.name}
                  </a>
                ),
              ],
              [say('name'), text(client?.name)],
              [say('email'), text(client?.email ?? user?.email)],
              [say('phone'), text(client?.phone ?? user?.phone)],
            ]}
          />
        </section>
      )}
    </div>
  )
}
