import type { PaymentWebhooks } from '@florin/contract/webhooks.js'
import { mayOpen } from '@florin/server/core/pages.js'
import { useState } from 'react'
import { Loaded } from '../../kit/console/states.tsx'
import { Button } from '../../kit/controls.tsx'
import { Icon } from '../../kit/display.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import type { Resource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { WebhookEvents } from '../../kit/store/WebhookEvents.tsx'
import { useLanguage } from '../language.ts'

/** The webhook events of a payment, and a button to resend the latest. */
export function Webhooks({
  path,
  resource,
}: {
  path: string
  resource: Resource<PaymentWebhooks>
}) {
  const { translate } = useLanguage()
  const { request, account } = useSession()
  const [isResent, setResent] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => request(`${path}/webhooks/redeliver`, { method: 'POST' }).finally(resource.reload),
    () => setResent(true),
  )

  const canResend = mayOpen(account.person.role, 'developers')
  return (
    <section className="section" aria-label={translate('webhooks')}>
      <h2>{translate('webhooks')}</h2>
      {problem && <ProblemNote problem={problem} />}
      <Loaded resource={resource} lines={2}>
        {({ events }) => (
          <>
            <WebhookEvents events={events} timeZone={account.store.time_zone} />
            {canResend && events.some((event) => event.url !== null) && (
              <div className="filters-line">
                <Button look="quiet" isBusy={isBusy} onClick={() => void start()}>
                  <Icon name="again" />
                  {translate('resend')}
                </Button>
                <span role="status" className="small soft">
                  {isResent && !problem && translate('sendingNow')}
                </span>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
