import type { IconName } from '@florin/shared/icons.js'
import { When } from '../../kit/console/When.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import type { Details, Outcome, WebhookEvent } from './details.ts'

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
