import { localDay } from '@florin/server/core/calendar.js'
import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Money, StatusBadge } from '../kit/display.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Problem } from '../kit/request.ts'
import { grossOf, type Payment, type Today } from '../kit/store/payment.ts'
import { useAsked } from '../kit/store/session.tsx'
import { clockOf, dayText, parseTime } from '../kit/time.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

type List = { readonly payments: readonly Payment[]; readonly next_cursor: string | null }

const PAGE = 30

/** Today in sums, and every sale, newest first. Older days follow: a refund may come a week later. */
export function Sales() {
  const { say, locale } = useLanguage()
  const { mode, ask, who } = useSession()
  const { time_zone: zone, currency } = who.store
  const today = useAsked<Today>(`${mode}/today`)
  const first = useAsked<List>(`${mode}/payments?limit=${PAGE}`)
  const [older, setOlder] = useState<{ mode: string; list: List }>()
  const [problem, setProblem] = useState<Problem | null>(null)

  const more = older?.mode === mode ? older.list : null
  const payments = [...(first.data?.payments ?? []), ...(more?.payments ?? [])]
  const cursor = more === null ? first.data?.next_cursor : more.next_cursor

  async function showMore(): Promise<void> {
    const answer = await ask<List>(`${mode}/payments?limit=${PAGE}&cursor=${cursor}`)
    if (!answer.ok) return setProblem(answer.problem)
    setProblem(null)
    const { payments: added, next_cursor } = answer.data
    setOlder({ mode, list: { payments: [...(more?.payments ?? []), ...added], next_cursor } })
  }

  const dayOf = (payment: Payment) => localDay(parseTime(payment.created_at), zone)
  const days = [...new Set(payments.map(dayOf))]
  const shown = problem ?? first.problem ?? today.problem
  return (
    <div className="stack">
      {today.data && <Totals today={today.data} />}
      {shown && <ProblemNote problem={shown} />}
      {first.data && payments.length === 0 && <p className="soft">{say('noSales')}</p>}
      {days.map((day) => (
        <section key={day} className="day" aria-label={dayText(day, locale)}>
          <h2>{day === today.data?.day ? say('today') : dayText(day, locale)}</h2>
          <ul>
            {payments
              .filter((one) => dayOf(one) === day)
              .map((payment) => (
                <li key={payment.payment_id}>
                  <a className="sale-row" href={`#payment/${payment.payment_id}`}>
                    <span className="sale-time">{clockOf(payment.created_at, locale, zone)}</span>
                    <StatusBadge status={payment.status} word={say(payment.status)} />
                    <Money amount={grossOf(payment)} currency={currency} locale={locale} />
                    <span className="sale-note" dir="auto">
                      {payment.reference.note}
                    </span>
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {cursor && (
        <Button look="quiet" isWide onClick={() => void showMore()}>
          {say('showMore')}
        </Button>
      )}
    </div>
  )
}

function Totals({ today }: { today: Today }) {
  const { say, locale } = useLanguage()
  const { currency, sales, refunds, day, time_zone: zone } = today
  return (
    <div className="totals">
      <p className="small soft">
        {dayText(day, locale)} · {zone.replaceAll('_', ' ')}
      </p>
      <dl>
        <div>
          <dt>{say('salesCount', { count: sales.count })}</dt>
          <dd>
            <Money amount={sales.amount} currency={currency} locale={locale} isLarge />
          </dd>
        </div>
        <div>
          <dt>{say('refundsCount', { count: refunds.count })}</dt>
          <dd>
            <Money amount={refunds.amount} currency={currency} locale={locale} />
          </dd>
        </div>
      </dl>
    </div>
  )
}
