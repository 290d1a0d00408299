import { relativeTimeText, timeText } from '@florin/shared/time.js'
import type { ReactNode } from 'react'
import { useConsoleLanguage } from '../language.tsx'
import { LOCAL_TIME_ZONE, parseTime } from '../time.ts'

export type Column<Row> = {
  /** The heading, also the React key. */
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Aligns the cells at their end, for amounts and counts. */
  readonly isEnd?: boolean
  /** Hidden on a phone. The row's own page shows it. */
  readonly isExtra?: boolean
}

type TableProps<Row> = {
  /** The table's accessible name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Makes the rows links. The first cell holds the link, which covers the whole row. */
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

/** A time of the API. Recent times are relative; the exact one is in the tooltip and for screen readers. */
export function When({ at, timeZone = LOCAL_TIME_ZONE }: { at: string; timeZone?: string }) {
  const { locale } = useConsoleLanguage()
  const time = parseTime(at)
  const exact = timeText(time, { locale, timeZone })
  const relative = relativeTimeText(time, new Date(), locale)
  return (
    <time dateTime={time.toISOString()} title={exact}>
      {relative ?? exact}
      {relative && <span className="unseen">, {exact}</span>}
    </time>
  )
}
