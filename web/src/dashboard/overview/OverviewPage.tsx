import type { Overview } from '@florin/contract/overview.js'
import './overview.css'
import { percentText } from '@florin/shared/numbers.js'
import type { ReactNode } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Money, useMoneyText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { dayText } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { Attention } from './Attention.tsx'
import { OverTime } from './OverTime.tsx'
import { SetUp } from './SetUp.tsx'

/** A changed payment refreshes the figures immediately. Yesterday's figures and failing webhooks also change without a payment. */
const REFRESH_MS = 60_000

/** Today compared with yesterday, the balance, and what needs attention. Refreshes itself. */
export function OverviewPage() {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { mode } = useDashboardRoute()
  const resource = useResource<Overview>(`${mode}/overview`, REFRESH_MS)
  const content = (
    <>
      <Loaded resource={resource}>
        {(overview) => (
          <>
            <Figures overview={overview} />
            <Attention overview={overview} />
          </>
        )}
      </Loaded>
      <OverTime />
    </>
  )
  return (
    <PageFrame title={translate('overview')}>
      {account.person.role === 'owner' ? <SetUp>{content}</SetUp> : content}
    </PageFrame>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const { translate, locale } = useLanguage()
  const { account } = useSession()
  const { currency, today, yesterday, balance, day } = overview
  const moneyText = useMoneyText()
  const amountText = (amount: string) => moneyText(amount, currency)
  const rateText = (share: number | null) => (share === null ? '–' : percentText(share, locale))
  const salesBefore = Number(yesterday.sales.amount)
  const change = salesBefore > 0 ? (Number(today.sales.amount) - salesBefore) / salesBefore : null
  return (
    <>
      <p className="small soft">
        {dayText(day, locale)} · {account.store.time_zone.replaceAll('_', ' ')}
      </p>
      <div className="figures">
        <Figure
          title={translate('salesToday')}
          notes={[
            translate('salesCount', { count: today.sales.count }),
            translate('yesterdayByNow', { value: amountText(yesterday.sales.amount) }),
            change !== null &&
              translate('changeFrom', { percent: percentText(change, locale, { isChange: true }) }),
          ]}
        >
          <Money amount={today.sales.amount} currency={currency} isLarge />
        </Figure>
        <Figure
          title={translate('successRate')}
          notes={[
            translate('successNote'),
            translate('yesterdayByNow', { value: rateText(yesterday.success_rate) }),
          ]}
        >
          <span className="money-large">{rateText(today.success_rate)}</span>
        </Figure>
        <Figure
          title={translate('refundsToday')}
          notes={[
            translate('refundsCount', { count: today.refunds.count }),
            translate('yesterdayByNow', { value: amountText(yesterday.refunds.amount) }),
          ]}
        >
          <Money amount={today.refunds.amount} currency={currency} isLarge />
        </Figure>
        <Figure title={translate('balance')} notes={[]}>
          <Money amount={balance} currency={currency} isLarge />
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
