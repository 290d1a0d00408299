import { relativeTimeText, timeText } from '@florin/shared/time.js'
import type { ReactNode } from 'react'
import { parseTime } from '../time.ts'
import { useLanguage } from './language.ts'

export type Column<Row> = {
  /** What stands above it; also its key. */
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** At the end of its cell: amounts and counts, so that their digits stand below each other. */
  readonly isEnd?: boolean
  /** Left out on a phone, where the page of the row has it. */
  readonly isExtra?: boolean
}

type TableProps<Row> = {
  /** What the table holds, for who cannot see it. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Where a row leads. The first cell holds the link, and the whole row takes the press. */
  hrefOf?: (row: Row) => string
}

export function Table<Row>({ label, columns, rows, keyOf, hrefOf }: TableProps<Row>) {
  return (
    <div className="table-box">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={hrefOf && 'table-link'}>
              {columns.map((column, n) => (
                <td key={column.title} className={classOf(column)} data-title={column.title}>
                  {hrefOf && n === 0 ? (
                    <a href={hrefOf(row)}>{column.cell(row)}</a>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classOf<Row>({ isEnd, isExtra }: Column<Row>): string | undefined {
  return [isEnd && 'cell-end', isExtra && 'cell-extra'].filter(Boolean).join(' ') || undefined
}

type WhenProps = {
  /** As the API writes it, in UTC. */
  at: string
  timeZone: string
}

/** Near times as people say them; the exact one on hover, and for who hears the page. */
export function When({ at, timeZone }: WhenProps) {
  const { locale } = useLanguage()
  const time = parseTime(at)
  const exact = timeText(time, { locale, timeZone })
  const near = relativeTimeText(time, new Date(), locale)
  return (
    <time dateTime={time.toISOString()} title={exact}>
      {near ?? exact}
      {near && <span className="unseen">, {exact}</span>}
    </time>
  )
}
