import './overview.css'
import { percentText } from '@florin/shared/numbers.js'
import type { ReactNode } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { amountText, Money } from '../../kit/display.tsx'
import { useAsked, useSession } from '../../kit/store/session.tsx'
import { dayText } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { Attention } from './Attention.tsx'
import type { Overview } from './figures.ts'
import { OverTime } from './OverTime.tsx'

const REFRESH_MS = 5_000

/** How the store is doing, by itself: today against yesterday, the balance, and what needs a hand. */
export function OverviewPage() {
  const { say } = useLanguage()
  const { mode } = useDashboardPlace()
  const asked = useAsked<Overview>(`${mode}/overview`, REFRESH_MS)
  return (
    <PageFrame title={say('overview')}>
      <Loaded asked={asked}>
        {(overview) => (
          <>
            <Figures overview={overview} />
            <Attention overview={overview} />
          </>
        )}
      </Loaded>
      <OverTime />
    </PageFrame>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const { currency, today, yesterday, balance, day } = overview
  const text = (amount: string) => amountText({ amount, currency, locale })
  const rate = (part: number | null) => (part === null ? '–' : percentText(part, locale))
  const before = Number(yesterday.sales.amount)
  const change = before > 0 ? (Number(today.sales.amount) - before) / before : null
  return (
    <>
      <p className="small soft">
        {dayText(day, locale)} · {who.store.time_zone.replaceAll('_', ' ')}
      </p>
      <div className="figures">
        <Figure
          title={say('salesToday')}
          notes={[
            say('salesCount', { count: today.sales.count }),
            say('yesterdayByNow', { amount: text(yesterday.sales.amount) }),
            change !== null &&
              say('changeFrom', { percent: percentText(change, locale, { isChange: true }) }),
          ]}
        >
          <Money amount={today.sales.amount} currency={currency} locale={locale} isLarge />
        </Figure>
        <Figure
          title={say('successRate')}
          notes={[
            say('successNote'),
            say('yesterdayByNow', { amount: rate(yesterday.success_rate) }),
          ]}
        >
          <span className="money-large">{rate(today.success_rate)}</span>
        </Figure>
        <Figure
          title={say('refundsToday')}
          notes={[
            say('refundsCount', { count: today.refunds.count }),
            say('yesterdayByNow', { amount: text(yesterday.refunds.amount) }),
          ]}
        >
          <Money amount={today.refunds.amount} currency={currency} locale={locale} isLarge />
        </Figure>
        <Figure title={say('balance')} notes={[]}>
          <Money amount={balance} currency={currency} locale={locale} isLarge />
        </Figure>
      </div>
    </>
  )
}

type FigureProps = { title: string; notes: readonly (string | false)[]; children: ReactNode }

function Figure({ title, notes, children }: FigureProps) {
  return (
    <section className="card figure" aria-label={title}>
      <h2>{title}</h2>
      {children}
      {notes.map(
        (note) =>
          note && (
            <p key={note} className="small soft">
              {note}
            </p>
          ),
      )}
    </section>
  )
}
