import { relativeTimeText, rowTimeText } from '@florin/shared/time.js'
import type { ReactNode } from 'react'
import { useTimeText } from '../display.tsx'
import { useConsoleLanguage } from '../language.tsx'
import { LOCAL_TIME_ZONE, parseTime } from '../time.ts'

/**
 * The heading, the content of the cells, and flags. `end` aligns the cells at their end, for amounts and
 * counts. `extra` is for columns that a narrow screen may hide, `brief` for those that only a narrow screen shows. `code`
 * leaves room for a short reference.
 */
export type Column<Row> = readonly [
  title: string,
  cell: (row: Row) => ReactNode,
  ...flags: readonly ('end' | 'extra' | 'brief' | 'code')[],
]

const classOf = (flags: readonly string[]) =>
  flags.map((flag) => `cell-${flag}`).join(' ') || undefined

export type TableProps<Row> = {
  /** The table's accessible name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Makes the rows links. The first cell holds the link, which covers the whole row. */
  hrefOf?: (row: Row) => string
  /** Shown instead of a table without rows. */
  empty?: ReactNode
}

export function Table<Row>({ label, columns, rows, keyOf, hrefOf, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    <div className="table-box">
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(([title, , ...flags]) => (
              <th key={title} scope="col" className={classOf(flags)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={hrefOf && 'table-link'}>
              {columns.map(([title, cell, ...flags], n) => (
                <td key={title} className={classOf(flags)} data-title={title}>
                  {hrefOf && n === 0 ? <a href={hrefOf(row)}>{cell(row)}</a> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A name in bold, and a detail below it. */
export function TwoLines({ first, second }: { first: string; second: string }) {
  return (
    <div className="two-lines">
      <strong dir="auto">{first}</strong>
      {second && (
        <div className="soft small">
          <bdi>{second}</bdi>
        </div>
      )}
    </div>
  )
}

type RowTimeProps = { at: string; timeZone?: string | undefined }

/** The time of a row. Not relative: "3 hours ago" would be the same for many rows. */
export function RowTime({ at, timeZone = LOCAL_TIME_ZONE }: RowTimeProps) {
  const { locale } = useConsoleLanguage()
  const time = parseTime(at)
  const exact = useTimeText(timeZone)(at)
  return (
    <time className="row-time" dateTime={time.toISOString()} title={exact}>
      {rowTimeText(time, new Date(), { locale, timeZone })}
    </time>
  )
}

/** A time of the API. Within a week it is relative; the exact one is in the tooltip and for screen readers. */
export function RelativeTime({ at, timeZone }: { at: string; timeZone?: string }) {
  const { locale } = useConsoleLanguage()
  const time = parseTime(at)
  const exact = useTimeText(timeZone)(at)
  const relative = relativeTimeText(time, new Date(), locale)
  return (
    <time dateTime={time.toISOString()} title={exact}>
      {relative ?? exact}
      {relative && <span className="visually-hidden">, {exact}</span>}
    </time>
  )
}
