import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import { useAsked } from '../../kit/store/session.tsx'
import { dayText } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import type { Close, ClosesData } from '../types.ts'

/** Fourteen days at a time; the day they end with is in the address. */
export function Closes() {
  const { say, locale } = useLanguage()
  const { mode, query, hrefTo } = useDashboardPlace()
  const until = query.get('until')
  const asked = useAsked<ClosesData>(`${mode}/closes${until ? `?to=${until}` : ''}`)
  return (
    <Loaded asked={asked}>
      {({ closes, currency, time_zone, next_to }) => {
        const money = (amount: (close: Close) => string) => (close: Close) => (
          <Money amount={amount(close)} currency={currency} locale={locale} />
        )
        return (
          <>
            {closes.length === 0 ? (
              <Empty title={say('noLines')} />
            ) : (
              <div className="books">
                <Table
                  label={say('dailyClose')}
                  rows={closes}
                  keyOf={({ day }) => day}
                  hrefOf={({ day }) => hrefTo('balance', day)}
                  columns={[
                    {
                      title: say('day'),
                      cell: ({ day, is_over }) => (
                        <>
                          {dayText(day, locale)}
                          {!is_over && <span className="soft small"> · {say('notOver')}</span>}
                        </>
                      ),
                    },
                    {
                      title: say('sales'),
                      isEnd: true,
                      cell: money((close) => close.sales.amount),
                    },
                    {
                      title: say('fees'),
                      isEnd: true,
                      isExtra: true,
                      cell: money((close) => close.fees.amount),
                    },
                    {
                      title: say('refunds'),
                      isEnd: true,
                      isExtra: true,
                      cell: money((close) => close.refunds.amount),
                    },
                    { title: say('closing'), isEnd: true, cell: money((close) => close.closing) },
                  ]}
                />
              </div>
            )}
            <div className="buttons">
              {next_to && (
                <a
                  className="button button-quiet"
                  href={hrefTo('balance', 'days', { until: next_to })}
                >
                  {say('earlierDays')}
                </a>
              )}
            </div>
            <p className="soft small">{say('inZone', { zone: time_zone })}</p>
          </>
        )
      }}
    </Loaded>
  )
}
