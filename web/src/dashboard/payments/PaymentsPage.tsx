import type { PaymentAudit, PaymentLedger } from '@florin/contract/overview.js'
import type { PaymentDetails } from '@florin/contract/payments.js'
import type { EventWithAttempts, PaymentWebhooks } from '@florin/contract/webhooks.js'
import type { FinalStatus } from '../../kit/display.tsx'
import './payments.css'
import { stringifyExactly } from '@florin/server/core/json.js'
import { mayOpen } from '@florin/server/core/pages.js'
import type { IconName } from '@florin/shared/icons.js'
import { useEffect, useState } from 'react'
import { CopyButton } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Icon, Money, StatusBadge } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { basePath } from '../../kit/request.ts'
import { grossOf } from '../../kit/store/payment.ts'
import { expiryOf, usePaymentStatus } from '../../kit/store/paymentStatus.ts'
import { useSession } from '../../kit/store/session.tsx'
import { curlToRead } from '../curl.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { PaymentFacts } from './PaymentFacts.tsx'
import { PaymentList } from './PaymentList.tsx'
import { RefundButton } from './RefundButton.tsx'
import { Webhooks } from './Webhooks.tsx'

const REFRESH_MS = 10_000

function PaymentPage({ id }: { id: string }) {
  const { say } = useLanguage()
  const { mode, hrefTo } = useDashboardRoute()
  const resource = useResource<PaymentDetails>(
    `${mode}/payments/${encodeURIComponent(id)}`,
    REFRESH_MS,
  )
  return (
    <PageFrame
      title={say('payment')}
      back={hrefTo('payments')}
      actions={<CopyButton text={curlToRead(id)} label={say('copyCurl')} />}
    >
      <Loaded resource={resource}>
        {(payment) => (
          <PaymentView payment={payment} serverMs={resource.serverMs} reload={resource.reload} />
        )}
      </Loaded>
    </PageFrame>
  )
}

type PaymentViewProps = { payment: PaymentDetails; serverMs: number; reload: () => void }

function PaymentView({ payment, serverMs, reload }: PaymentViewProps) {
  const { say } = useLanguage()
  const { account } = useSession()
  const { mode } = useDashboardRoute()
  const [endsMs] = useState(() => expiryOf(payment, serverMs))
  const { status } = usePaymentStatus(payment, endsMs)
  const hasChanged = status !== payment.status && payment.status === 'pending'
  useEffect(() => {
    if (hasChanged) reload()
  }, [hasChanged, reload])

  const { payment_id: id, currency } = payment
  const canSeeRecords = mayOpen(account.person.role, 'balance')
  return (
    <>
      <div className="payment-top">
        <Money amount={grossOf(payment)} currency={currency} isLarge />
        <StatusBadge status={payment.status} />
        <div className="page-actions">
          {payment.status === 'completed' && <RefundButton id={id} onDone={reload} />}
          <a
            className="button button-quiet"
            href={`${basePath}/pay/${id}`}
            target="_blank"
            rel="noreferrer"
          >
            <Icon name="external" />
            {say('checkoutPage')}
          </a>
        </div>
      </div>
      {canSeeRecords ? (
        <Records key={payment.status} payment={payment} mode={mode} />
      ) : (
        <>
          <PaymentFacts payment={payment} audit={null} />
          <Timeline payment={payment} events={[]} />
        </>
      )}
      <details className="raw">
        <summary>{say('raw')}</summary>
        <pre className="code" dir="ltr">
          <code>{stringifyExactly(payment, 2)}</code>
        </pre>
      </details>
    </>
  )
}

/** A payment with its actors, ledger and webhooks. Not every role can see them. */
function Records({ payment, mode }: { payment: PaymentDetails; mode: string }) {
  const path = `${mode}/payments/${payment.payment_id}`
  const audit = useResource<PaymentAudit>(`${path}/audit`)
  const webhooks = useResource<PaymentWebhooks>(`${path}/webhooks`, REFRESH_MS / 2)
  return (
    <>
      <PaymentFacts payment={payment} audit={audit.data} />
      <Timeline payment={payment} events={webhooks.data?.events ?? []} />
      <Ledger path={`${path}/ledger`} />
      <Webhooks path={path} resource={webhooks} />
    </>
  )
}

/** The transfers of the payment. */
function Ledger({ path }: { path: string }) {
  const { say } = useLanguage()
  const { account } = useSession()
  const resource = useResource<PaymentLedger>(path)
  return (
    <section className="section" aria-label={say('ledger')}>
      <h2>{say('ledger')}</h2>
      <Loaded resource={resource} lines={2}>
        {({ lines }) => (
          <Table
            empty={<p className="soft">{say('noLedger')}</p>}
            label={say('ledger')}
            rows={lines}
            keyOf={({ kind }) => kind}
            columns={[
              [say('movement'), ({ kind }) => say(`${kind}Line`)],
              [say('from'), ({ from }) => say(`${from}Account`)],
              [say('to'), ({ to }) => say(`${to}Account`)],
              [
                say('time'),
                ({ at }) => <When at={at} timeZone={account.store.time_zone} />,
                'extra',
              ],
              [
                say('amount'),
                ({ amount, currency }) => <Money amount={amount} currency={currency} />,
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}

type Moment = { readonly at: string; readonly icon: IconName; readonly text: string }

function Timeline({
  payment,
  events,
}: {
  payment: PaymentDetails
  events: readonly EventWithAttempts[]
}) {
  const { say } = useLanguage()
  const { account } = useSession()
  const reported = events.map(({ type, created_at: at }): Moment => {
    const outcome = type.replace('payment.', '') as FinalStatus
    return { at, icon: outcome, text: say(`${outcome}Moment`) }
  })
  const refund = payment.refund?.refunded_at
  const moments: Moment[] = [
    { at: payment.created_at, icon: 'plus', text: say('createdMoment') },
    ...reported,
  ]
  if (reported.length === 0 && refund) {
    moments.push({ at: refund, icon: 'refunded', text: say('refundedMoment') })
  }
  return (
    <section className="card" aria-label={say('timeline')}>
      <h2>{say('timeline')}</h2>
      <ol className="timeline">
        {moments.map(({ at, icon, text }) => (
          <li key={text} className={`tone-${icon}`}>
            <Icon name={icon} />
            <span>{text}</span>
            <span className="small soft">
              <When at={at} timeZone={account.store.time_zone} />
            </span>
          </li>
        ))}
        {payment.status === 'pending' && (
          <li className="tone-pending">
            <Icon name="pending" />
            <span>{say('expiresMoment')}</span>
            <span className="small soft">
              <When at={payment.expires_at} timeZone={account.store.time_zone} />
            </span>
          </li>
        )}
      </ol>
    </section>
  )
}

/** The list of payments, or one payment. */
export function PaymentsPage({ id }: { id: string }) {
  return id === '' ? <PaymentList /> : <PaymentPage id={id} />
}
