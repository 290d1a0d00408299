import type { PaymentAudit } from '@florin/contract/overview.js'
import type { PaymentStatus } from '@florin/contract/payments.js'
import type { StorePayment } from '@florin/contract/store.js'
import type { PaymentWebhooks } from '@florin/contract/webhooks.js'
import { stringifyExactly } from '@florin/server/core/json.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { useEffect, useRef, useState } from 'react'
import { ActionButton, CopyButton } from '../../kit/console/actions.tsx'
import { listHref } from '../../kit/console/listMemory.ts'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Icon, Money, StatusBadge, useMoneyText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { basePath } from '../../kit/request.ts'
import { OfflineNote } from '../../kit/store/OfflineNote.tsx'
import { grossOf, shownStatus } from '../../kit/store/payment.ts'
import { expiryOf, usePaymentStatus } from '../../kit/store/paymentStatus.ts'
import { useSession } from '../../kit/store/session.tsx'
import { Timeline } from '../../kit/store/Timeline.tsx'
import { curlCommand } from '../curl.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { CodeCard } from './CodeCard.tsx'
import { Ledger } from './Ledger.tsx'
import { PaymentFacts } from './PaymentFacts.tsx'
import { RefundButton } from './RefundButton.tsx'
import { Webhooks } from './Webhooks.tsx'

const WEBHOOK_REFRESH_MS = 5_000

export function PaymentPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { mode, hrefTo } = useDashboardRoute()
  const resource = useResource<StorePayment>(`${mode}/payments/${encodeURIComponent(id)}`)
  const back = listHref(hrefTo('payments'))
  return (
    <PageFrame title={translate('payment')} back={back}>
      <Loaded resource={resource} back={back}>
        {(payment) => (
          <PaymentView payment={payment} serverMs={resource.serverMs} reload={resource.reload} />
        )}
      </Loaded>
    </PageFrame>
  )
}

type PaymentViewProps = { payment: StorePayment; serverMs: number; reload: () => void }

function PaymentView({ payment, serverMs, reload }: PaymentViewProps) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { mode } = useDashboardRoute()
  const [endsMs] = useState(() => expiryOf(payment, serverMs))
  const { status, isOffline } = usePaymentStatus(payment, endsMs)
  const hasChanged = status !== payment.status && payment.status === 'pending'
  useEffect(() => {
    if (hasChanged) reload()
  }, [hasChanged, reload])

  // A refund or cancellation removes the button that had the focus.
  const lastStatus = useRef(payment.status)
  useEffect(() => {
    if (lastStatus.current !== payment.status && document.activeElement === document.body) {
      document.querySelector('h1')?.focus()
    }
    lastStatus.current = payment.status
  }, [payment.status])

  const { payment_id: id, currency } = payment
  const isPending = payment.status === 'pending'
  const canCreate = account.may.includes('create')
  const canSeeRecords = mayOpen(account.person.role, 'balance')
  return (
    <>
      <div className="payment-top">
        <Money amount={grossOf(payment)} currency={currency} isLarge />
        <div role="status">
          <StatusBadge status={shownStatus(payment)} />
        </div>
        <div className="page-actions">
          {payment.status === 'completed' && <RefundButton id={id} onDone={reload} />}
          {isPending && canCreate && <CancelButton payment={payment} onDone={reload} />}
          <a
            className="button button-quiet"
            href={`${basePath}/pay/${id}`}
            target="_blank"
            rel="noreferrer"
          >
            <Icon name="external" />
            {translate('checkoutPage')}
          </a>
        </div>
      </div>
      {isPending && isOffline && <OfflineNote endsMs={endsMs} />}
      {isPending && <CodeCard payment={payment} endsMs={endsMs} />}
      {canSeeRecords ? (
        <Records key={payment.status} payment={payment} mode={mode} />
      ) : (
        <>
          <PaymentFacts payment={payment} audit={null} />
          <Timeline payment={payment} events={[]} timeZone={account.store.time_zone} />
        </>
      )}
      <details className="raw">
        <summary>{translate('raw')}</summary>
        <pre className="code" dir="ltr">
          <code>{stringifyExactly(payment, 2)}</code>
        </pre>
      </details>
      <div className="buttons">
        <CopyButton text={curlCommand(id)} label={translate('copyCurl')} />
      </div>
    </>
  )
}

function CancelButton({ payment, onDone }: { payment: StorePayment; onDone: () => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { mode } = useDashboardRoute()
  const amount = useMoneyText()(grossOf(payment), payment.currency)
  const path = `${mode}/payments/${payment.payment_id}/expire`
  return (
    <ActionButton<PaymentStatus>
      label={translate('cancelPayment')}
      title={translate('cancelPaymentAsk')}
      dismissLabel={translate('keepPayment')}
      isDanger
      conflictText={translate('noLongerPending')}
      run={() => request(path, { method: 'POST' })}
      onDone={onDone}
    >
      <p>{translate('cancelPaymentNote', { amount })}</p>
    </ActionButton>
  )
}

/** A payment with its actors, ledger and webhooks. Not every role can see them. */
function Records({ payment, mode }: { payment: StorePayment; mode: string }) {
  const { account } = useSession()
  const path = `${mode}/payments/${payment.payment_id}`
  const audit = useResource<PaymentAudit>(`${path}/audit`)
  const webhooks = useResource<PaymentWebhooks>(`${path}/webhooks`, WEBHOOK_REFRESH_MS)
  return (
    <>
      <PaymentFacts payment={payment} audit={audit.data} />
      <Timeline
        payment={payment}
        events={webhooks.data?.events ?? []}
        timeZone={account.store.time_zone}
      />
      <Ledger path={`${path}/ledger`} />
      <Webhooks path={path} resource={webhooks} />
    </>
  )
}
