import { timeText } from '@florin/shared/time.js'
import { useState } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Button } from '../../kit/controls.tsx'
import { amountText, Card, Facts, Money } from '../../kit/display.tsx'
import { useAsked } from '../../kit/store/session.tsx'
import { dayText, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import type { ClosesData } from '../types.ts'
import { Download } from './Download.tsx'

/** One day from what it opened with to what it closed with, as a column that adds up. */
export function DayPage({ day }: { day: string }) {
  const { say, locale } = useLanguage()
  const { mode, hrefTo } = useDashboardPlace()
  const [isDownloading, setDownloading] = useState(false)
  const asked = useAsked<ClosesData>(`${mode}/closes?limit=1&to=${encodeURIComponent(day)}`)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day)
  return (
    <PageFrame
      title={isDay ? dayText(day, locale) : say('noPage')}
      back={hrefTo('balance', 'days')}
      actions={<Button onClick={() => setDownloading(true)}>{say('download')}</Button>}
    >
      <Loaded asked={asked}>
        {({ closes: [close], currency, time_zone }) => {
          if (close === undefined) return <Empty title={say('noLinesThen')} />
          const money = (amount: string) => amountText({ amount, currency, locale })
          const out = ({ amount }: { amount: string }) =>
            money(/[1-9]/.test(amount) ? `-${amount}` : amount)
          const counted = (word: string, { count }: { count: number }) => `${word} (${count})`
          const at = (time: string) => timeText(parseTime(time), { locale, timeZone: time_zone })
          return (
            <Card label={say('dailyClose')}>
              <div className="stack">
                <div className="balance-now">
                  <span className="soft small">
                    {say('closing')}
                    {!close.is_over && ` · ${say('notOver')}`}
                  </span>
                  <Money amount={close.closing} currency={currency} locale={locale} isLarge />
                </div>
                <Facts
                  facts={[
                    [say('opening'), money(close.opening)],
                    [counted(say('sales'), close.sales), money(close.sales.amount)],
                    [counted(say('fees'), close.fees), out(close.fees)],
                    [counted(say('refunds'), close.refunds), out(close.refunds)],
                    [counted(say('refundFees'), close.refund_fees), out(close.refund_fees)],
                    [counted(say('added'), close.funding), money(close.funding.amount)],
                    [counted(say('payouts'), close.payouts), out(close.payouts)],
                    [say('closing'), money(close.closing)],
                    [say('dayFrom'), at(close.starts_at)],
                    [say('dayTo'), at(close.ends_at)],
                  ]}
                />
                <p>
                  <a href={hrefTo('balance', undefined, { from: day, to: day })}>
                    {say('statement')}
                  </a>
                </p>
              </div>
            </Card>
          )
        }}
      </Loaded>
      {isDownloading && <Download from={day} to={day} close={() => setDownloading(false)} />}
    </PageFrame>
  )
}
