import type { Series, SeriesPoint } from '@florin/contract/overview.js'
import { percentText } from '@florin/shared/numbers.js'
import { BarChart } from '../../kit/console/BarChart.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Money, useMoneyText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { clockOf, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'

const PERIODS = [
  { days: '1', word: 'today' },
  { days: '7', word: 'days7' },
  { days: '30', word: 'days30' },
] as const

const REFRESH_MS = 30_000
/** While the server still adds up older days. */
const INCOMPLETE_REFRESH_MS = 250

/** Volume and success rate over time, as a chart and as a table. */
export function OverTime() {
  const { say } = useLanguage()
  const { mode, query, setQuery } = useDashboardRoute()
  const days = PERIODS.find((one) => one.days === query.get('days'))?.days ?? '7'
  const resource = useResource<Series>(`${mode}/overview/series?days=${days}`, (series) =>
    series?.is_complete === false ? INCOMPLETE_REFRESH_MS : REFRESH_MS,
  )
  return (
    <section className="section" aria-label={say('overTime')}>
      <div className="row">
        <h2>{say('overTime')}</h2>
        <fieldset className="chips">
          <legend className="unseen">{say('period')}</legend>
          {PERIODS.map((one) => (
            <button
              key={one.days}
              type="button"
              className="chip"
              aria-pressed={one.days === days}
              onClick={() => setQuery({ days: one.days })}
            >
              {say(one.word)}
            </button>
          ))}
        </fieldset>
      </div>
      <Loaded resource={resource} lines={5}>
        {(series) => (
          <>
            {!series.is_complete && (
              <p className="small soft" role="status">
                {say('summing', { count: series.points.length, all: days })}
              </p>
            )}
            <Figures series={series} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Figures({ series }: { series: Series }) {
  const { say, locale } = useLanguage()
  const { account } = useSession()
  const moneyText = useMoneyText()
  const { points, currency, step } = series
  const zone = account.store.time_zone
  const shown = { day: 'numeric', month: 'short', timeZone: zone, numberingSystem: 'latn' } as const
  const days = new Intl.DateTimeFormat(locale, shown)
  const label = ({ from }: SeriesPoint) =>
    step === 'hour' ? clockOf(from, locale, zone) : days.format(parseTime(from))
  const maxSales = points.reduce((max, { sales }) => Math.max(max, Number(sales.amount)), 0)
  const rate = (share: number | null) => (share === null ? '–' : percentText(share, locale))
  return (
    <div className="columns">
      <div className="card">
        <BarChart
          label={say('chartLabel', { amount: moneyText(`${maxSales}`, currency) })}
          barsTitle={say('volume')}
          lineTitle={say('successRate')}
          points={points.map((point) => ({
            label: label(point),
            value: Number(point.sales.amount),
            share: point.success_rate,
          }))}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the focus on a keyboard. */}
      <section className="over-time-table" aria-label={say('volume')} tabIndex={0}>
        <Table
          label={say('overTime')}
          rows={[...points].reverse()}
          keyOf={({ from }) => from}
          columns={[
            [step === 'hour' ? say('hour') : say('day'), label],
            [say('sales'), ({ sales }) => sales.count, 'end', 'extra'],
            [
              say('volume'),
              ({ sales }) => <Money amount={sales.amount} currency={currency} />,
              'end',
            ],
            [say('successRate'), ({ success_rate: share }) => rate(share), 'end'],
          ]}
        />
      </section>
    </div>
  )
}
