import type { StorePayment, StorePaymentList, Today } from '@florin/contract/store.js'
import { localDay } from '@florin/server/core/calendar.js'
import { Button } from '../kit/controls.tsx'
import { Money, StatusBadge, useTimeText } from '../kit/display.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import { type Resource, usePages, useResource } from '../kit/query.ts'
import { grossOf, shownStatus } from '../kit/store/payment.ts'
import { clockOf, dayText, parseTime } from '../kit/time.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

const PAGE_SIZE = 30

/** Each sale refreshes the totals immediately. The start of a new day doesn't, so they are also read every minute. */
const TODAY_REFRESH_MS = 60_000

export function useToday(): Resource<Today> {
  const { mode } = useSession()
  return useResource<Today>(`${mode}/today`, TODAY_REFRESH_MS)
}

/** Today's totals and all sales by the day of creation, newest first. Older days follow, because a sale can be refunded later. */
export function Sales() {
  const { translate, locale } = useLanguage()
  const { mode, account } = useSession()
  const { time_zone: zone, currency } = account.store
  const today = useToday()
  const list = usePages<StorePaymentList>(`${mode}/payments?limit=${PAGE_SIZE}`)
  const payments = list.pages.flatMap((page) => page.payments)
  const dayOf = (payment: StorePayment) => localDay(parseTime(payment.created_at), zone)
  const days = [...new Set(payments.map(dayOf))]
  const timeText = useTimeText(zone)
  /** The time that the page of the sale shows, with its date if that is not the day in the heading. */
  function timeOf(payment: StorePayment): string {
    const at = payment.paid_at ?? payment.created_at
    const isSameDay = localDay(parseTime(at), zone) === dayOf(payment)
    return isSameDay ? clockOf(at, locale, zone) : timeText(at)
  }
  const problem = list.problem ?? today.problem
  return (
    <div className="stack">
      {today.data && <Totals today={today.data} />}
      {problem && <ProblemNote problem={problem} />}
      {list.pages.length > 0 && payments.length === 0 && (
        <p className="soft">{translate('noSales')}</p>
      )}
      {days.map((day) => (
        <section key={day} className="day" aria-label={dayText(day, locale)}>
          <h2>{day === today.data?.day ? translate('today') : dayText(day, locale)}</h2>
          <ul>
            {payments
              .filter((payment) => dayOf(payment) === day)
              .map((payment) => (
                <li key={payment.payment_id}>
                  <a className="sale-row" href={`#payment/${payment.payment_id}`}>
                    <span className="sale-what" dir="auto">
                      {itemsOf(payment) || payment.user?.name || translate('sale')}
                    </span>
                    <Money amount={grossOf(payment)} currency={currency} />
                    <span className="sale-facts">
                      <span className="sale-time">{timeOf(payment)}</span>
                      <StatusBadge status={shownStatus(payment)} />
                      <span className="sale-note" dir="auto">
                        {noteOf(payment)}
                      </span>
                    </span>
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {list.loadMore && (
        <Button look="quiet" isWide onClick={list.loadMore}>
          {translate('showEarlierSales')}
        </Button>
      )}
    </div>
  )
}

/** `2 × Espresso, Tea` */
const itemsOf = ({ products }: StorePayment) =>
  products.map(({ name, quantity }) => (quantity > 1 ? `${quantity} × ${name}` : name)).join(', ')

/** The payer, unless the row already starts with the name, and the note. */
function noteOf({ products, user, reference }: StorePayment): string {
  return [products.length > 0 && user?.name, reference.note].filter(Boolean).join(' · ')
}

function Totals({ today }: { today: Today }) {
  const { translate, locale } = useLanguage()
  const { currency, sales, refunds, day, time_zone: zone } = today
  return (
    <div className="card totals">
      <p className="small soft">
        {dayText(day, locale)} · {zone.replaceAll('_', ' ')}
      </p>
      <dl>
        <div>
          <dt>{translate('salesCount', { count: sales.count })}</dt>
          <dd>
            <Money amount={sales.amount} currency={currency} isLarge />
          </dd>
        </div>
        <div>
          <dt>{translate('refundsCount', { count: refunds.count })}</dt>
          <dd>
            <Money amount={refunds.amount} currency={currency} />
          </dd>
        </div>
      </dl>
    </div>
  )
}
