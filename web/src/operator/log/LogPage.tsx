import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedList } from '../../kit/console/states.tsx'
import { RowTime, Table } from '../../kit/console/Table.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Facts, useTimeText } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { type Pages, usePages } from '../../kit/query.ts'
import { Actor } from '../Actor.tsx'
import { FilterForm } from '../FilterForm.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo, usePageFilters } from '../route.ts'
import type { LogEntry, LogEntryPage } from './logEntry.ts'

const FILTERS = ['actor', 'action', 'subject', 'from', 'to'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** The audit log. Its filters are in the URL, so that a reload or a copied URL shows the same. */
export function LogPage() {
  const { translate } = useLanguage()
  const { filters, apiQuery, key } = usePageFilters(FILTERS)
  apiQuery.set('match', 'part')
  const list = usePages<LogEntryPage>(`audit-log?${apiQuery}`)
  const rows = list.pages.flatMap((page) => page.entries)
  return (
    <PageFrame title={translate('log')}>
      <Filter key={key} filters={filters} />
      <PagedList list={list} footer={<SearchOlder list={list} />}>
        {() => (
          <Table
            rows={rows}
            label={translate('log')}
            keyOf={({ id }) => id}
            empty={list.loadMore === null && <Empty title={translate('noEntries')} />}
            columns={[
              [translate('time'), ({ at }) => <RowTime at={at} />],
              [
                translate('actor'),
                ({ actor, actor_name: name }) => <Actor name={actor} knownAs={name} />,
              ],
              [
                translate('action'),
                (entry) => (
                  <details>
                    <summary>
                      <code>{entry.action}</code>
                    </summary>
                    <Difference entry={entry} />
                  </details>
                ),
              ],
              [translate('subject'), (entry) => <Subject entry={entry} />],
            ]}
          />
        )}
      </PagedList>
    </PageFrame>
  )
}

/** The name of what was changed, if it is known, and its id. Links to its page, if it has one. */
function Subject({ entry: { subject, subject_name: name } }: { entry: LogEntry }) {
  const href = hrefOf(subject)
  const id = <code>{subject}</code>
  const title = name === null ? id : <strong dir="auto">{name}</strong>
  return (
    <div>
      {href === null ? title : <a href={href}>{title}</a>}
      {name !== null && <div className="soft small">{id}</div>}
    </div>
  )
}

function hrefOf(subject: string): string | null {
  const [, noun, id = ''] = /^(\w+):(.+)$/.exec(subject) ?? []
  if (noun === 'store') return hrefTo('stores', id)
  if (noun === 'wallet') return hrefTo('wallets', id)
  return noun === 'payment' ? hrefTo('payments', id) : null
}

/** A search reads a limited number of entries at a time, so a page can be empty and not be the last. */
function SearchOlder({ list: { pages, isBusy, loadMore } }: { list: Pages<LogEntryPage> }) {
  const { translate } = useLanguage()
  const until = pages.at(-1)?.looked_until ?? null
  const timeText = useTimeText()
  if (loadMore === null || until === null) return null
  return (
    <div className="row-center">
      <p className="small soft" role="status">
        {translate('searchedBack', { time: timeText(until) })}
      </p>
      <Button look="quiet" isBusy={isBusy} onClick={loadMore}>
        {translate('searchOlder')}
      </Button>
    </div>
  )
}

function Filter({ filters }: { filters: Filters }) {
  const { translate } = useLanguage()
  const { fields, field } = useFields(filters)
  return (
    <FilterForm page="log" fields={fields}>
      <Field label={translate('actor')} {...field('actor')} help={translate('partHelp')} />
      <Field label={translate('action')} {...field('action')} help="store.change" />
      <Field label={translate('subject')} {...field('subject')} help="store:1" />
      <Field label={translate('from')} {...field('from')} type="datetime-local" />
      <Field label={translate('to')} {...field('to')} type="datetime-local" />
    </FilterForm>
  )
}

/** The fields that an action changed, with their values before and after. */
function Difference({ entry: { before, after } }: { entry: LogEntry }) {
  const { translate } = useLanguage()
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter((name) => valueText(before?.[name]) !== valueText(after?.[name]))
  if (changed.length === 0) return <p className="small soft">{translate('noChangesShown')}</p>
  return (
    <div dir="ltr" className="difference">
      <Facts
        facts={changed.map((name) => [
          name,
          before === null
            ? valueText(after?.[name])
            : `${valueText(before[name])} → ${valueText(after?.[name])}`,
        ])}
      />
    </div>
  )
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
