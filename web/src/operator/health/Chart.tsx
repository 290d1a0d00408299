import type { Minute } from '@florin/contract/platform.js'
import './health.css'
import { useId } from 'react'
import { type Column, Table } from '../../kit/console/Table.tsx'
import { clockOf, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'

const WIDTH = 600
const HEIGHT = 200
const LEFT = 48
const BOTTOM = 24
const HOUR_MS = 3_600_000

type Line = readonly [name: string, pick: (minute: Minute) => number]
type Props = { title: string; minutes: readonly Minute[]; lines: readonly Line[] }

/** Lines over the last hour, with different strokes, and the same values as a table. */
export function Chart({ title, minutes, lines }: Props) {
  const { say, locale } = useLanguage()
  const id = useId()
  const top = roundUp(Math.max(1, ...lines.flatMap(([, pick]) => minutes.map(pick))))
  const end = parseTime(minutes.at(-1)!.at).getTime()
  const x = (at: string) => WIDTH - ((end - parseTime(at).getTime()) / HOUR_MS) * (WIDTH - LEFT)
  const y = (value: number) => (HEIGHT - BOTTOM) * (1 - value / top) + 10
  const clock = (at: string) => clockOf(at, locale)
  const pathOf = ([, pick]: Line) =>
    minutes.map((one, n) => `${n === 0 ? 'M' : 'L'}${x(one.at)} ${y(pick(one))}`).join('')
  return (
    <figure className="card chart" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      {/* Time runs from left to right in every language. */}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 12}`} role="img" aria-label={title} direction="ltr">
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <path className="chart-grid" d={`M${LEFT} ${y(value)}H${WIDTH}`} />
            <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
              {numberText(value, locale)}
            </text>
          </g>
        ))}
        <text x={WIDTH} y={HEIGHT + 8} textAnchor="end">
          {clock(minutes.at(-1)!.at)}
        </text>
        {lines.map((line, n) => (
          <path key={line[0]} className={`chart-line chart-line-${n}`} d={pathOf(line)} />
        ))}
      </svg>
      <ul className="chart-key">
        {lines.map(([name, pick], n) => (
          <li key={name}>
            <svg viewBox="0 0 24 8" aria-hidden="true">
              <path className={`chart-line chart-line-${n}`} d="M0 4H24" />
            </svg>
            {name}: {numberText(pick(minutes.at(-1)!), locale)}
          </li>
        ))}
      </ul>
      <details>
        <summary>{say('figures')}</summary>
        <Table
          label={title}
          rows={[...minutes].reverse()}
          keyOf={({ at }) => at}
          columns={[
            [say('time'), ({ at }) => clock(at)],
            ...lines.map(
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

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((n) => n * unit).find((round) => round >= value)!
}
