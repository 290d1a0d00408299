import type { Series, SeriesPoint } from '@florin/contract/overview.js'
import { compactNumber, percentText } from '@florin/shared/numbers.js'
import type { ChartPoint } from '../../kit/charts/BarChart.tsx'
import { Chart } from '../../kit/charts/Chart.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Money, useMoneyText } from '../../kit/display.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { clockOf, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'

export function SeriesView({ series }: { series: Series }) {
  return (
    <>
      <div className="series">
        <Volume series={series} />
        <SuccessRate series={series} />
        <Hours series={series} />
        <Methods series={series} />
      </div>
      <PointTable series={series} />
    </>
  )
}

/** Texts for one point: short for an axis or a table, long for a tooltip. */
function usePointTexts({ step }: Series) {
  const { locale } = useLanguage()
  const { time_zone: timeZone } = useSession().account.store
  const day = { day: 'numeric', month: 'short', timeZone, numberingSystem: 'latn' } as const
  const short = new Intl.DateTimeFormat(locale, day)
  const long = new Intl.DateTimeFormat(locale, { ...day, weekday: 'short' })
  const isHour = step === 'hour'
  return {
    short: ({ from }: SeriesPoint) =>
      isHour ? clockOf(from, locale, timeZone) : short.format(parseTime(from)),
    long: ({ from }: SeriesPoint) =>
      isHour ? clockOf(from, locale, timeZone) : long.format(parseTime(from)),
  }
}

function useRateText() {
  const { locale } = useLanguage()
  return (share: number | null) => (share === null ? '–' : percentText(share, locale))
}

function Volume({ series }: { series: Series }) {
  const { say, locale } = useLanguage()
  const moneyText = useMoneyText()
  const texts = usePointTexts(series)
  const { points, before, currency, total } = series
  const [now, then] = [Number(total.sales.amount), Number(before.total.sales.amount)]
  const change = then > 0 && series.is_complete ? (now - then) / then : null
  const chartPoints = points.map((point, n): ChartPoint => {
    const other = before.points[n]
    return {
      label: texts.short(point),
      value: Number(point.sales.amount),
      line: other ? Number(other.sales.amount) : null,
      details: [
        texts.long(point),
        moneyText(point.sales.amount, currency),
        say('salesCount', { count: point.sales.count }),
        ...(other ? [say('valueBefore', { amount: moneyText(other.sales.amount, currency) })] : []),
      ],
    }
  })
  return (
    <figure className="card chart series-wide">
      <figcaption>
        <h3>{say('volume')}</h3>
        <Money amount={total.sales.amount} currency={currency} isLarge />
        <p className="small soft">
          {change !== null &&
            say('comparedBefore', { percent: percentText(change, locale, { isChange: true }) })}
          {change === null &&
            say('valueBefore', { amount: moneyText(before.total.sales.amount, currency) })}
        </p>
      </figcaption>
      <Chart
        label={say('volume')}
        points={chartPoints}
        valueText={(value) => compactNumber(value, locale)}
      />
      <ul className="chart-key small soft">
        <li>{say('thisPeriod')}</li>
        <li className="chart-key-line">{say('periodBefore')}</li>
      </ul>
    </figure>
  )
}

function SuccessRate({ series }: { series: Series }) {
  const { say } = useLanguage()
  const texts = usePointTexts(series)
  const rateText = useRateText()
  return (
    <figure className="card chart">
      <figcaption>
        <h3>{say('successRate')}</h3>
        <span className="money-large">{rateText(series.total.success_rate)}</span>
        <p className="small soft">
          {say('valueBefore', { amount: rateText(series.before.total.success_rate) })}
        </p>
      </figcaption>
      <Chart
        label={say('successRate')}
        max={1}
        height={160}
        valueText={rateText}
        points={series.points.map((point, n) => ({
          label: texts.short(point),
          value: point.success_rate ?? 0,
          line: series.before.points[n]?.success_rate ?? null,
          details: [texts.long(point), rateText(point.success_rate)],
        }))}
      />
    </figure>
  )
}

function Hours({ series }: { series: Series }) {
  const { say, locale } = useLanguage()
  const moneyText = useMoneyText()
  const clock = new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  })
  return (
    <figure className="card chart">
      <figcaption>
        <h3>{say('byHour')}</h3>
      </figcaption>
      <Chart
        label={say('byHour')}
        height={160}
        valueText={(value) => compactNumber(value, locale)}
        points={series.hours.map(({ hour, sales }) => {
          const label = clock.format(new Date(hour * 3_600_000))
          const amount = moneyText(sales.amount, series.currency)
          const details = [label, amount, say('salesCount', { count: sales.count })]
          return { label, value: Number(sales.amount), line: null, details }
        })}
      />
    </figure>
  )
}

function Methods({ series }: { series: Series }) {
  const { say, locale } = useLanguage()
  const total = Number(series.total.sales.amount)
  return (
    <section className="card chart" aria-labelledby="by-method">
      <h3 id="by-method">{say('byMethod')}</h3>
      <dl className="methods">
        {series.methods.map(({ method, sales }) => {
          const share = total === 0 ? 0 : Number(sales.amount) / total
          return (
            <div key={method}>
              <dt>{say(`method_${method}`)}</dt>
              <dd>
                <Money amount={sales.amount} currency={series.currency} />
                <progress aria-label={say(`method_${method}`)} max={1} value={share} />
                <span className="small soft">
                  {say('salesCount', { count: sales.count })} ·{' '}
                  {say('shareOf', { percent: percentText(share, locale) })}
                </span>
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

function PointTable({ series }: { series: Series }) {
  const { say } = useLanguage()
  const texts = usePointTexts(series)
  const rateText = useRateText()
  const { currency, step, points } = series
  return (
    <details className="series-table">
      <summary>{say('showTable')}</summary>
      <Table
        label={say('overTime')}
        rows={[...points].reverse()}
        keyOf={({ from }) => from}
        columns={[
          [step === 'hour' ? say('hour') : say('day'), texts.short],
          [say('sales'), ({ sales }) => sales.count, 'end', 'extra'],
          [
            say('volume'),
            ({ sales }) => <Money amount={sales.amount} currency={currency} />,
            'end',
          ],
          [
            say('refunds'),
            ({ refunds }) => <Money amount={refunds.amount} currency={currency} />,
            'end',
            'extra',
          ],
          [say('successRate'), ({ success_rate: share }) => rateText(share), 'end'],
        ]}
      />
    </details>
  )
}
