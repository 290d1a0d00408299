import type { StorePayment } from '@florin/contract/store.js'
import type { EventWithAttempts } from '@florin/contract/webhooks.js'
import type { IconName } from '@florin/shared/icons.js'
import { When } from '../../kit/console/Table.tsx'
import { type FinalStatus, Icon } from '../../kit/display.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

type Moment = { readonly at: string; readonly icon: IconName; readonly text: string }

export function Timeline({
  payment,
  events,
}: {
  payment: StorePayment
  events: readonly EventWithAttempts[]
}) {
  const { say } = useLanguage()
  const { account } = useSession()
  const reported = events.map(({ type, created_at: at }): Moment => {
    const outcome = payment.cancelled ? 'cancelled' : (type.replace('payment.', '') as FinalStatus)
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
