import type { DayClose, DayCloses } from '@florin/contract/books.js'
import { addAmounts } from '../../kit/amounts.ts'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { dayText } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'

/** The closes of fourteen days. The URL contains the last of them, unless it is today. */
export function CloseList() {
  const { translate, locale } = useLanguage()
  const { mode, query, hrefTo } = useDashboardRoute()
  const until = query.get('until')
  const resource = useResource<DayCloses>(`${mode}/closes${until ? `?to=${until}` : ''}`)
  return (
    <Loaded resource={resource}>
      {({ closes, currency, time_zone, next_to }) => {
        const sum = (...amounts: readonly string[]) => addAmounts(currency, ...amounts)
        const negate = ({ amount }: { amount: string }) => `-${amount}`
        const money = (amount: (close: DayClose) => string) => (close: DayClose) => (
          <Money amount={amount(close)} currency={currency} />
        )
        return (
          <>
            <div className="books">
              <Table
                label={translate('dailyClose')}
                rows={closes}
                empty={<Empty title={translate('noLines')} />}
                keyOf={({ day }) => day}
                hrefOf={({ day }) => hrefTo('balance', day)}
                columns={[
                  [
                    translate('day'),
                    ({ day, is_over }) => (
                      <>
                        {dayText(day, locale)}
                        {!is_over && (
                          <span className="soft small"> · {translate('inProgress')}</span>
                        )}
                      </>
                    ),
                  ],
                  [translate('opening'), money((close) => close.opening), 'end', 'extra'],
                  [translate('sales'), money((close) => close.sales.amount), 'end', 'extra'],
                  [
                    translate('fees'),
                    money(({ fees, refund_fees }) => sum(negate(fees), negate(refund_fees))),
                    'end',
                    'extra',
                  ],
                  [
                    translate('refunds'),
                    money(({ refunds }) => sum(negate(refunds))),
                    'end',
                    'extra',
                  ],
                  [
                    translate('otherMoves'),
                    money(({ funding, payouts }) => sum(funding.amount, negate(payouts))),
                    'end',
                    'extra',
                  ],
                  [
                    translate('balanceChange'),
                    money(({ opening, closing }) => sum(closing, `-${opening}`)),
                    'end',
                    'brief',
                  ],
                  [translate('closing'), money((close) => close.closing), 'end'],
                ]}
              />
            </div>
            <div className="buttons">
              {next_to && (
                <a
                  className="button button-quiet"
                  href={hrefTo('balance', 'days', { until: next_to })}
                >
                  {translate('earlierDays')}
                </a>
              )}
            </div>
            <p className="soft small">{translate('inZone', { zone: time_zone })}</p>
          </>
        )
      }}
    </Loaded>
  )
}
