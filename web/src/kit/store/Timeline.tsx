import type { StorePayment } from '@florin/contract/store.js'
import type { EventWithAttempts } from '@florin/contract/webhooks.js'
import './delivery.css'
import type { IconName } from '@florin/shared/icons.js'
import { RowTime } from '../console/Table.tsx'
import { type FinalStatus, Icon } from '../display.tsx'
import { useConsoleLanguage } from '../language.tsx'
import { LOCAL_TIME_ZONE } from '../time.ts'

type Moment = { readonly at: string; readonly icon: IconName; readonly text: string }

type Props = {
  payment: Pick<
    StorePayment,
    'cancelled' | 'created_at' | 'expires_at' | 'paid_at' | 'refund' | 'status'
  >
  events: readonly EventWithAttempts[]
  timeZone?: string
}

/** What happened to a payment, oldest first. */
export function Timeline({ payment, events, timeZone = LOCAL_TIME_ZONE }: Props) {
  const { translate } = useConsoleLanguage()
  const reported = events.map(({ type, created_at: at }): Moment => {
    const outcome = payment.cancelled ? 'cancelled' : (type.replace('payment.', '') as FinalStatus)
    return { at, icon: outcome, text: translate(`${outcome}Moment`) }
  })
  const { paid_at: paidAt, refund } = payment
  const moments: Moment[] = [
    { at: payment.created_at, icon: 'plus', text: translate('createdMoment') },
    ...reported,
  ]
  // Some roles can't read the events. Then only the times of payment and refund are known.
  if (reported.length === 0 && paidAt) {
    moments.push({ at: paidAt, icon: 'completed', text: translate('completedMoment') })
  }
  if (reported.length === 0 && refund) {
    moments.push({ at: refund.refunded_at, icon: 'refunded', text: translate('refundedMoment') })
  }
  return (
    <section className="card" aria-label={translate('timeline')}>
      <h2>{translate('timeline')}</h2>
      <ol className="timeline">
        {moments.map(({ at, icon, text }) => (
          <li key={text} className={`tone-${icon}`}>
            <Icon name={icon} />
            <span>{text}</span>
            <span className="small soft">
              <RowTime at={at} timeZone={timeZone} />
            </span>
          </li>
        ))}
        {payment.status === 'pending' && (
          <li className="tone-pending">
            <Icon name="pending" />
            <span>{translate('expiresMoment')}</span>
            <span className="small soft">
              <RowTime at={payment.expires_at} timeZone={timeZone} />
            </span>
          </li>
        )}
      </ol>
    </section>
  )
}
