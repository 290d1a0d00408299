import type { ReactNode } from 'react'
import { Failed, Loaded } from '../kit/console/states.tsx'
import { type Column, Table } from '../kit/console/Table.tsx'
import { Button } from '../kit/controls.tsx'
import { useLanguage } from './language.ts'
import type { Pages } from './usePages.ts'

type Props<Row> = {
  pages: Pages<Row>
  label: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  hrefOf?: (row: Row) => string
  /** What to say and do where there is nothing. */
  empty: ReactNode
}

/** A long list: its rows, then the way to more of them. */
export function Paged<Row>({ pages, label, empty, ...table }: Props<Row>) {
  const { say } = useLanguage()
  const { asked, rows, showMore, problem } = pages
  return (
    <Loaded asked={asked}>
      {() =>
        rows.length === 0 ? (
          empty
        ) : (
          <div className="stack">
            <Table label={label} rows={rows} {...table} />
            {problem && showMore && <Failed problem={problem} again={() => void showMore()} />}
            {showMore && !problem && (
              <div>
                <Button look="quiet" onClick={() => void showMore()}>
                  {say('showMore')}
                </Button>
              </div>
            )}
          </div>
        )
      }
    </Loaded>
  )
}
