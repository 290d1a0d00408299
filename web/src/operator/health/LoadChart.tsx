import type { Minute } from '@florin/contract/platform.js'
import './health.css'
import { compactNumber } from '@florin/shared/numbers.js'
import { useId } from 'react'
import { Chart } from '../../kit/charts/Chart.tsx'
import { type Column, Table } from '../../kit/console/Table.tsx'
import { clockOf, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'

const MINUTE_MS = 60_000
const MINUTES = 60

type Series = readonly [name: string, pick: (minute: Minute) => number]
type Props = {
  title: string
  minutes: readonly Minute[]
  bars: Series
  line: Series
  /** Only in the tooltip and the table. */
  others?: readonly Series[]
}

/** The last hour as bars and a line, and the same values as a table. */
export function LoadChart({ title, minutes, bars, line, others = [] }: Props) {
  const { translate, locale } = useLanguage()
  const id = useId()
  const series = [bars, ...others, line]
  const last = minutes.at(-1)!
  const seriesText = ([name, pick]: Series, minute: Minute) =>
    `${name}: ${numberText(pick(minute), locale)}`
  return (
    <figure className="card chart" aria-labelledby={id}>
      <figcaption id={id}>
        <h3>{title}</h3>
      </figcaption>
      <Chart
        label={title}
        height={200}
        valueText={(value) => compactNumber(value, locale)}
        points={lastHour(minutes).map(({ at, minute }) => ({
          label: clockOf(at, locale),
          value: minute === undefined ? 0 : bars[1](minute),
          line: minute === undefined ? null : line[1](minute),
          details: [
            clockOf(at, locale),
            ...(minute === undefined ? ['–'] : series.map((shown) => seriesText(shown, minute))),
          ],
        }))}
      />
      <ul className="chart-key small soft">
        <li>{seriesText(bars, last)}</li>
        <li className="chart-key-line">{seriesText(line, last)}</li>
      </ul>
      <details>
        <summary>{translate('showTable')}</summary>
        <Table
          label={title}
          rows={[...minutes].reverse()}
          keyOf={({ at }) => at}
          columns={[
            [translate('time'), ({ at }) => clockOf(at, locale)],
            ...series.map(
              ([name, pick]): Column<Minute> => [
                name,
                (minute: Minute) => numberText(pick(minute), locale),
                'end',
              ],
            ),
          ]}
        />
      </details>
    </figure>
  )
}

/** Every minute of the last hour. A minute that no process reported has no values. */
function lastHour(minutes: readonly Minute[]) {
  const byTime = new Map(minutes.map((minute) => [parseTime(minute.at).getTime(), minute]))
  const endMs = Math.max(...byTime.keys())
  return Array.from({ length: MINUTES }, (_, n) => {
    const atMs = endMs - (MINUTES - 1 - n) * MINUTE_MS
    return { at: new Date(atMs).toISOString().slice(0, -1), minute: byTime.get(atMs) }
  })
}
