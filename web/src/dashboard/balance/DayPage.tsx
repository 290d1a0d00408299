import type { DayCloses } from '@florin/contract/books.js'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Card, Facts, Money, useMoneyText, useTimeText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { dayText } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { DownloadButton } from './DownloadButton.tsx'

/** One day from its opening to its closing balance. */
export function DayPage({ day }: { day: string }) {
  const { translate, locale } = useLanguage()
  const { account } = useSession()
  const moneyText = useMoneyText()
  const timeText = useTimeText(account.store.time_zone)
  const { mode, hrefTo } = useDashboardRoute()
  const resource = useResource<DayCloses>(`${mode}/closes?limit=1&to=${encodeURIComponent(day)}`)
  return (
    <PageFrame
      title={dayText(day, locale)}
      back={hrefTo('balance', 'days')}
      actions={<DownloadButton from={day} to={day} />}
    >
      <Loaded resource={resource}>
        {({ closes: [close], currency }) => {
          if (close === undefined) return <Empty title={translate('noLinesInPeriod')} />
          const money = (amount: string) => moneyText(amount, currency)
          const negatedMoney = ({ amount }: { amount: string }) =>
            money(/[1-9]/.test(amount) ? `-${amount}` : amount)
          const withCount = (word: string, { count }: { count: number }) => `${word} (${count})`
          return (
            <Card label={translate('dailyClose')}>
              <div className="stack">
                <div className="balance-now">
                  <span className="soft small">
                    {translate('closing')}
                    {!close.is_over && ` · ${translate('inProgress')}`}
                  </span>
                  <Money amount={close.closing} currency={currency} isLarge />
                </div>
                <Facts
                  facts={[
                    [translate('opening'), money(close.opening)],
                    [withCount(translate('sales'), close.sales), money(close.sales.amount)],
                    [withCount(translate('fees'), close.fees), negatedMoney(close.fees)],
                    [withCount(translate('refunds'), close.refunds), negatedMoney(close.refunds)],
                    [
                      withCount(translate('refundFees'), close.refund_fees),
                      negatedMoney(close.refund_fees),
                    ],
                    [withCount(translate('added'), close.funding), money(close.funding.amount)],
                    [withCount(translate('payouts'), close.payouts), negatedMoney(close.payouts)],
                    [translate('closing'), money(close.closing)],
                    [translate('dayFrom'), timeText(close.starts_at)],
                    [translate('dayTo'), timeText(close.ends_at)],
                  ]}
                />
                <a
                  className="button button-quiet"
                  href={hrefTo('balance', undefined, { from: day, to: day })}
                >
                  {translate('statement')}
                </a>
              </div>
            </Card>
          )
        }}
      </Loaded>
    </PageFrame>
  )
}
