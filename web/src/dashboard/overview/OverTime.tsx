import { percentText } from '@florin/shared/numbers.js'
import { useEffect } from 'react'
import { BarChart } from '../../kit/console/BarChart.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { amountText, Money } from '../../kit/display.tsx'
import { useAsked, useSession } from '../../kit/store/session.tsx'
import { clockOf, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import type { Point, Series } from './figures.ts'

const PERIODS = [
  { days: '1', word: 'today' },
  { days: '7', word: 'days7' },
  { days: '30', word: 'days30' },
] as const

const REFRESH_MS = 30_000
const GO_ON_MS = 250

/** Volume and success over time, as a picture and, beside it, in figures. */
export function OverTime() {
  const { say } = useLanguage()
  const { mode, query, setQuery } = useDashboardPlace()
  const days = PERIODS.find((one) => one.days === query.get('days'))?.days ?? '7'
  const asked = useAsked<Series>(`${mode}/overview/series?days=${days}`, REFRESH_MS)
  const { data, again } = asked
  useEffect(() => {
    if (data === null || data.is_complete) return
    const timer = setTimeout(again, GO_ON_MS)
    return () => clearTimeout(timer)
  }, [data, again])
  return (
    <section className="section" aria-label={say('overTime')}>
      <div className="over-time-head">
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
      <Loaded asked={asked} lines={5}>
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
  const { who } = useSession()
  const { points, currency, step } = series
  const zone = who.store.time_zone
  const shown = { day: 'numeric', month: 'short', timeZone: zone, numberingSystem: 'latn' } as const
  const days = new Intl.DateTimeFormat(locale, shown)
  const label = ({ from }: Point) =>
    step === 'hour' ? clockOf(from, locale, zone) : days.format(parseTime(from))
  const most = points.reduce((max, { sales }) => Math.max(max, Number(sales.amount)), 0)
  const rate = (part: number | null) => (part === null ? '–' : percentText(part, locale))
  return (
    <div className="over-time">
      <div className="card">
        <BarChart
          label={say('chartLabel', { amount: amountText({ amount: `${most}`, currency, locale }) })}
          barsTitle={say('volume')}
          lineTitle={say('successRate')}
          points={points.map((point) => ({
            label: label(point),
            value: Number(point.sales.amount),
            part: point.success_rate,
          }))}
        />
      </div>
      {/* A table that scrolls must be reached by the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which arrow keys do once it has the focus. */}
      <section className="over-time-table" aria-label={say('volume')} tabIndex={0}>
        <Table
          label={say('overTime')}
          rows={[...points].reverse()}
          keyOf={({ from }) => from}
          columns={[
            { title: step === 'hour' ? say('hour') : say('day'), cell: label },
            {
              title: say('sales'),
              isEnd: true,
              isExtra: true,
              cell: ({ sales }) => sales.count,
            },
            {
              title: say('volume'),
              isEnd: true,
              cell: ({ sales }) => (
                <Money amount={sales.amount} currency={currency} locale={locale} />
              ),
            },
            {
              title: say('successRate'),
              isEnd: true,
              cell: ({ success_rate: part }) => rate(part),
            },
          ]}
        />
      </section>
    </div>
  )
}
