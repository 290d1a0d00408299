import type { ReactNode } from 'react'
import { Button } from '../controls.tsx'
import { Notice } from '../display.tsx'
import { useConsoleLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import type { Pages, Resource } from '../query.ts'
import type { Problem } from '../request.ts'
import { Table, type TableProps } from './Table.tsx'

/** Whether the record that the page should show doesn't exist. */
export const isMissing = (problem: Problem | null) => problem?.status === 404

/** Placeholder lines, so that the layout does not shift when the data arrives. */
function Loading({ lines = 6 }: { lines?: number | undefined }) {
  const { translate } = useConsoleLanguage()
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{translate('loading')}</span>
      {Array.from({ length: lines }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity.
        <span key={n} className="loading-line" />
      ))}
    </div>
  )
}

type FailedProps = { problem: Problem; retry: () => void; back?: string | undefined }

function Failed({ problem, retry, back }: FailedProps) {
  const { translate } = useConsoleLanguage()
  if (back !== undefined && isMissing(problem)) {
    return (
      <Empty title={translate('notFound')}>
        <a className="button button-quiet" href={back}>
          {translate('back')}
        </a>
      </Empty>
    )
  }
  return (
    <div className="stack">
      <ProblemNote problem={problem} />
      <div>
        <Button look="quiet" onClick={retry}>
          {translate('tryAgain')}
        </Button>
      </div>
    </div>
  )
}

type EmptyProps = { title: string; note?: string | false; children?: ReactNode }

/** Shown where there is no content, such as for an empty list or an unknown page: why, and optionally what to do. */
export function Empty({ title, note, children }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {note && <p className="soft">{note}</p>}
      {children}
    </div>
  )
}

/** Says that a form was saved, also to screen readers. */
export function SavedNote({ isSaved }: { isSaved: boolean }) {
  const { translate } = useConsoleLanguage()
  return (
    <div role="status">{isSaved && <Notice tone="completed">{translate('saved')}</Notice>}</div>
  )
}

type LoadedProps<Data> = {
  resource: Resource<Data>
  lines?: number
  /** The target of the link that is shown if the record doesn't exist. */
  back?: string
  children: (data: Data) => ReactNode
}

/** Shows a resource once it is loaded. If a reload fails, the old data stays below the problem. */
export function Loaded<Data>({ resource, lines, back, children }: LoadedProps<Data>) {
  const { data, problem, reload } = resource
  return (
    <>
      {problem && <Failed problem={problem} retry={reload} back={back} />}
      {data === null ? problem === null && <Loading lines={lines} /> : children(data)}
    </>
  )
}

type PagedListProps<Page extends { next_cursor: string | null }> = {
  list: Pages<Page>
  lines?: number
  children: (pages: readonly Page[]) => ReactNode
  /** Replaces the button that loads the next page. */
  footer?: ReactNode
}

/** The loaded pages of a list, and a button for the next page. */
export function PagedList<Page extends { next_cursor: string | null }>(
  props: PagedListProps<Page>,
) {
  const { translate } = useConsoleLanguage()
  const { list, lines, children, footer } = props
  const { pages, problem, isBusy, reload, loadMore } = list
  return (
    <>
      {problem && <Failed problem={problem} retry={reload} />}
      {pages.length === 0 ? problem === null && <Loading lines={lines} /> : children(pages)}
      {footer}
      {footer === undefined && loadMore && !problem && (
        <div className="buttons">
          <Button look="quiet" isBusy={isBusy} onClick={loadMore}>
            {translate('showMore')}
          </Button>
        </div>
      )}
    </>
  )
}

type PagedTableProps<Row, Page extends { next_cursor: string | null }> = Omit<
  TableProps<Row>,
  'rows'
> & { list: Pages<Page>; rowsOf: (page: Page) => readonly Row[] }

export function PagedTable<Row, Page extends { next_cursor: string | null }>(
  props: PagedTableProps<Row, Page>,
) {
  const { list, rowsOf, ...table } = props
  return (
    <PagedList list={list}>
      {(pages) => <Table rows={pages.flatMap(rowsOf)} {...table} />}
    </PagedList>
  )
}
