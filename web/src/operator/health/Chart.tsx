import { useId } from 'react'
import { Table } from '../../kit/console/Table.tsx'
import { clockOf, parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'
import { TIME_ZONE } from '../session.ts'
import type { Minute } from '../types.ts'

const WIDTH = 600
const HEIGHT = 200
const LEFT = 48
const BOTTOM = 24
const HOUR_MS = 3_600_000

type Line = readonly [name: string, figureOf: (minute: Minute) => number]
type Props = { title: string; minutes: readonly Minute[]; lines: readonly Line[] }

/** Lines over the last hour, told apart by their strokes, with the same in figures below. */
export function Chart({ title, minutes, lines }: Props) {
  const { say, locale } = useLanguage()
  const id = useId()
  const top = roundUp(Math.max(1, ...lines.flatMap(([, figureOf]) => minutes.map(figureOf))))
  const end = parseTime(minutes.at(-1)!.at).getTime()
  const x = (at: string) => WIDTH - ((end - parseTime(at).getTime()) / HOUR_MS) * (WIDTH - LEFT)
  const y = (value: number) => (HEIGHT - BOTTOM) * (1 - value / top) + 10
  const clock = (at: string) => clockOf(at, locale, TIME_ZONE)
  const pathOf = ([, figureOf]: Line) =>
    minutes.map((one, n) => `${n === 0 ? 'M' : 'L'}${x(one.at)} ${y(figureOf(one))}`).join('')
  return (
    <figure className="card chart" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      {/* Time runs from left to right in every language, as on every such chart. */}
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
        {lines.map(([name, figureOf], n) => (
          <li key={name}>
            <svg viewBox="0 0 24 8" aria-hidden="true">
              <path className={`chart-line chart-line-${n}`} d="M0 4H24" />
            </svg>
            {name}: {numberText(figureOf(minutes.at(-1)!), locale)}
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
            { title: say('time'), cell: ({ at }) => clock(at) },
            ...lines.map(([name, figureOf]) => ({
              title: name,
              isEnd: true,
              cell: (minute: Minute) => numberText(figureOf(minute), locale),
            })),
          ]}
        />
      </details>
    </figure>
  )
}

/** The next round number: one, two or five with noughts. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((n) => n * unit).find((round) => round >= value)!
}
