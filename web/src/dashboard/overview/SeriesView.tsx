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
  const shortFormat = new Intl.DateTimeFormat(locale, day)
  const longFormat = new Intl.DateTimeFormat(locale, { ...day, weekday: 'short' })
  const isHour = step === 'hour'
  return {
    short: ({ from }: SeriesPoint) =>
      isHour ? clockOf(from, locale, timeZone) : shortFormat.format(parseTime(from)),
    long: ({ from }: SeriesPoint) =>
      isHour ? clockOf(from, locale, timeZone) : longFormat.format(parseTime(from)),
  }
}

function useRateText() {
  const { locale } = useLanguage()
  return (share: number | null) => (share === null ? '–' : percentText(share, locale))
}

function Volume({ series }: { series: Series }) {
  const { translate, locale } = useLanguage()
  const moneyText = useMoneyText()
  const texts = usePointTexts(series)
  const { points, before, currency, total } = series
  const [current, previous] = [Number(total.sales.amount), Number(before.total.sales.amount)]
  const change = previous > 0 && series.is_complete ? (current - previous) / previous : null
  const chartPoints = points.map((point, n): ChartPoint => {
    const other = before.points[n]
    return {
      label: texts.short(point),
      value: Number(point.sales.amount),
      line: other ? Number(other.sales.amount) : null,
      details: [
        texts.long(point),
        moneyText(point.sales.amount, currency),
        translate('salesCount', { count: point.sales.count }),
        ...(other
          ? [translate('valueBefore', { value: moneyText(other.sales.amount, currency) })]
          : []),
      ],
    }
  })
  return (
    <figure className="card chart series-wide">
      <figcaption>
        <h3>{translate('volume')}</h3>
        <Money amount={total.sales.amount} currency={currency} isLarge />
        <p className="small soft">
          {change !== null &&
            translate('comparedBefore', {
              percent: percentText(change, locale, { isChange: true }),
            })}
          {change === null &&
            translate('valueBefore', { value: moneyText(before.total.sales.amount, currency) })}
        </p>
      </figcaption>
      <Chart
        label={translate('volume')}
        points={chartPoints}
        valueText={(value) => compactNumber(value, locale)}
      />
      <ul className="chart-key small soft">
        <li>{translate('thisPeriod')}</li>
        <li className="chart-key-line">{translate('periodBefore')}</li>
      </ul>
    </figure>
  )
}

function SuccessRate({ series }: { series: Series }) {
  const { translate } = useLanguage()
  const texts = usePointTexts(series)
  const rateText = useRateText()
  return (
    <figure className="card chart">
      <figcaption>
        <h3>{translate('successRate')}</h3>
        <span className="money-large">{rateText(series.total.success_rate)}</span>
        <p className="small soft">
          {translate('valueBefore', { value: rateText(series.before.total.success_rate) })}
        </p>
      </figcaption>
      <Chart
        label={translate('successRate')}
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
  const { translate, locale } = useLanguage()
  const moneyText = useMoneyText()
  const clock = new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  })
  return (
    <figure className="card chart">
      <figcaption>
        <h3>{translate('byHour')}</h3>
      </figcaption>
      <Chart
        label={translate('byHour')}
        height={160}
        valueText={(value) => compactNumber(value, locale)}
        points={series.hours.map(({ hour, sales }) => {
          const label = clock.format(new Date(hour * 3_600_000))
          const amount = moneyText(sales.amount, series.currency)
          const details = [label, amount, translate('salesCount', { count: sales.count })]
          return { label, value: Number(sales.amount), line: null, details }
        })}
      />
    </figure>
  )
}

function Methods({ series }: { series: Series }) {
  const { translate, locale } = useLanguage()
  const total = Number(series.total.sales.amount)
  return (
    <section className="card chart" aria-labelledby="by-method">
      <h3 id="by-method">{translate('byMethod')}</h3>
      <dl className="methods">
        {series.methods.map(({ method, sales }) => {
          const share = total === 0 ? 0 : Number(sales.amount) / total
          return (
            <div key={method}>
              <dt>{translate(`method_${method}`)}</dt>
              <dd>
                <Money amount={sales.amount} currency={series.currency} />
                <progress aria-label={translate(`method_${method}`)} max={1} value={share} />
                <span className="small soft">
                  {translate('salesCount', { count: sales.count })} ·{' '}
                  {translate('shareOf', { percent: percentText(share, locale) })}
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
  const { translate } = useLanguage()
  const texts = usePointTexts(series)
  const rateText = useRateText()
  const { currency, step, points } = series
  return (
    <details className="series-table">
      <summary>{translate('showTable')}</summary>
      <Table
        label={translate('overTime')}
        rows={[...points].reverse()}
        keyOf={({ from }) => from}
        columns={[
          [step === 'hour' ? translate('hour') : translate('day'), texts.short],
          [translate('sales'), ({ sales }) => sales.count, 'end', 'extra'],
          [
            translate('volume'),
            ({ sales }) => <Money amount={sales.amount} currency={currency} />,
            'end',
          ],
          [
            translate('refunds'),
            ({ refunds }) => <Money amount={refunds.amount} currency={currency} />,
            'end',
            'extra',
          ],
          [translate('successRate'), ({ success_rate: share }) => rateText(share), 'end'],
        ]}
      />
    </details>
  )
}
