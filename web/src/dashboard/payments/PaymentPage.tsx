import './payments.css'
import { stringifyExactly } from '@florin/server/core/json.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { useEffect, useState } from 'react'
import { Copy } from '../../kit/console/Copy.tsx'
import { PageFrame } from '../../kit/console/PageFrame.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { Money } from '../../kit/Money.tsx'
import { basePath } from '../../kit/mount.tsx'
import { StatusBadge } from '../../kit/StatusBadge.tsx'
import { grossOf } from '../../kit/store/payment.ts'
import { endOf, useStatus } from '../../kit/store/paymentStatus.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useAsked } from '../../kit/store/useResource.ts'
import { curlToRead } from '../curl.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import type { Details, WebhookEvent } from './details.ts'
import { Ledger } from './Ledger.tsx'
import { PaymentFacts } from './PaymentFacts.tsx'
import { RefundButton } from './RefundButton.tsx'
import { Timeline } from './Timeline.tsx'
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
