import './payments.css'
import { stringifyExactly } from '@florin/server/core/json.js'
import { mayOpen } from '@florin/server/core/pages.js'
import type { IconName } from '@florin/shared/icons.js'
import { useEffect, useState } from 'react'
import { Copy } from '../../kit/console/Copy.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Icon, Money, StatusBadge } from '../../kit/display.tsx'
import { basePath } from '../../kit/mount.tsx'
import { grossOf } from '../../kit/store/payment.ts'
import { endOf, useStatus } from '../../kit/store/paymentStatus.ts'
import { useAsked, useSession } from '../../kit/store/session.tsx'
import { curlToRead } from '../curl.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import type { Details, LedgerLine, Outcome, WebhookEvent } from '../types.ts'
import { PaymentFacts } from './PaymentFacts.tsx'
import { RefundButton } from './RefundButton.tsx'
import { Webhooks } from './Webhooks.tsx'

const REFRESH_MS = 10_000

/** One payment, top down: what, who, when, the money, what the shop's server was told, and all of it raw. */
export function PaymentPage({ id }: { id: string }) {
  const { say } = useLanguage()
  const { mode, hrefTo } = useDashboardPlace()
  const asked = useAsked<Details>(`${mode}/payments/${encodeURIComponent(id)}`, REFRESH_MS)
  return (
    <PageFrame
      title={say('payment')}
      back={hrefTo('payments')}
      actions={<Copy text={curlToRead(id)} label={say('copyCurl')} />}
    >
      <Loaded asked={asked}>
        {(payment) => <Shown payment={payment} serverMs={asked.serverMs} changed={asked.again} />}
      </Loaded>
    </PageFrame>
  )
}

type ShownProps = { payment: Details; serverMs: number; changed: () => void }

function Shown({ payment, serverMs, changed }: ShownProps) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { mode } = useDashboardPlace()
  const [endsMs] = useState(() => endOf(payment, serverMs))
  const { status } = useStatus(payment, endsMs)
  const hasChanged = status !== payment.status && payment.status === 'pending'
  useEffect(() => {
    if (hasChanged) changed()
  }, [hasChanged, changed])

  const { payment_id: id, currency } = payment
  const hasBooks = mayOpen(who.person.role, 'balance')
  return (
    <>
      <div className="payment-top">
        <Money amount={grossOf(payment)} currency={currency} locale={locale} isLarge />
        <StatusBadge status={payment.status} word={say(payment.status)} />
        <div className="page-actions">
          {payment.status === 'completed' && <RefundButton id={id} changed={changed} />}
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
      <PaymentFacts payment={payment} />
      {hasBooks ? (
        <Behind key={payment.status} payment={payment} mode={mode} />
      ) : (
        <Timeline payment={payment} events={[]} />
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

/** What the books and the shop's server know of it. */
function Behind({ payment, mode }: { payment: Details; mode: string }) {
  const path = `${mode}/payments/${payment.payment_id}`
  const webhooks = useAsked<{ readonly events: readonly WebhookEvent[] }>(
    `${path}/webhooks`,
    REFRESH_MS / 2,
  )
  return (
    <>
      <Timeline payment={payment} events={webhooks.data?.events ?? []} />
      <Ledger path={`${path}/ledger`} />
      <Webhooks path={path} asked={webhooks} />
    </>
  )
}

/** Every movement of money that belongs to the payment. */
export function Ledger({ path }: { path: string }) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const asked = useAsked<{ readonly lines: readonly LedgerLine[] }>(path)
  return (
    <section className="section" aria-label={say('ledger')}>
      <h2>{say('ledger')}</h2>
      <Loaded asked={asked} lines={2}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className="soft">{say('noLedger')}</p>
          ) : (
            <Table
              label={say('ledger')}
              rows={lines}
              keyOf={({ kind }) => kind}
              columns={[
                { title: say('movement'), cell: ({ kind }) => say(`${kind}Line`) },
                { title: say('from'), cell: ({ from }) => say(`${from}Account`) },
                { title: say('to'), cell: ({ to }) => say(`${to}Account`) },
                {
                  title: say('time'),
                  isExtra: true,
                  cell: ({ at }) => <When at={at} timeZone={who.store.time_zone} />,
                },
                {
                  title: say('amount'),
                  isEnd: true,
                  cell: ({ amount, currency }) => (
                    <Money amount={amount} currency={currency} locale={locale} />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  )
}

type Moment = { readonly at: string; readonly icon: IconName; readonly text: string }

/** What happened to a payment, in order. */
export function Timeline({
  payment,
  events,
}: {
  payment: Details
  events: readonly WebhookEvent[]
}) {
  const { say } = useLanguage()
  const { who } = useSession()
  const told = events.map(({ type, created_at: at }): Moment => {
    const outcome = type.replace('payment.', '') as Outcome
    return { at, icon: outcome, text: say(`${outcome}Moment`) }
  })
  const refund = payment.refund?.refunded_at
  const moments: Moment[] = [
    { at: payment.created_at, icon: 'plus', text: say('createdMoment') },
    ...told,
  ]
  if (told.length === 0 && refund) {
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
              <When at={at} timeZone={who.store.time_zone} />
            </span>
          </li>
        ))}
        {payment.status === 'pending' && (
          <li className="tone-pending">
            <Icon name="pending" />
            <span>{say('expiresMoment')}</span>
            <span className="small soft">
              <When at={payment.expires_at} timeZone={who.store.time_zone} />
            </span>
          </li>
        )}
      </ol>
    </section>
  )
}
