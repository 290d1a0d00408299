import { type FormEvent, useState } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { When } from '../../kit/console/Table.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Facts, Icon } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'
import { Paged } from '../Paged.tsx'
import { search, useOperatorPlace } from '../place.ts'
import { TIME_ZONE } from '../session.ts'
import type { LogEntry } from '../types.ts'
import { usePages } from '../usePages.ts'

const FILTERS = ['actor', 'action', 'subject', 'from', 'to'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** Who did what to what, and when; everything is in the address, so that a search can be sent on. */
export function LogPage() {
  const { say } = useLanguage()
  const { query } = useOperatorPlace()
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, query.get(name) ?? '']),
  ) as Filters
  const asked = new URLSearchParams({ limit: '50' })
  for (const name of FILTERS) {
    const text = filters[name]
    if (text !== '') asked.set(name, name === 'from' || name === 'to' ? utc(text) : text)
  }
  const pages = usePages<LogEntry, 'entries'>(`audit-log?${asked}`, 'entries')
  return (
    <PageFrame title={say('log')}>
      <Filter key={query.toString()} filters={filters} />
      <Paged
        pages={pages}
        label={say('log')}
        keyOf={({ id }) => id}
        empty={<Empty title={say('noEntries')} />}
        columns={[
          { title: say('time'), cell: ({ at }) => <When at={at} timeZone={TIME_ZONE} /> },
          { title: say('actor'), cell: ({ actor }) => <bdi>{actor}</bdi> },
          {
            title: say('action'),
            cell: (entry) => (
              <details>
                <summary>
                  <code>{entry.action}</code>
                </summary>
                <Difference entry={entry} />
              </details>
            ),
          },
          { title: say('subject'), cell: ({ subject }) => <code>{subject}</code> },
        ]}
      />
    </PageFrame>
  )
}

/** What the browser's own field gives is the time of the place; the API's is UTC. */
const utc = (local: string) => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local : at.toISOString()
}

function Filter({ filters }: { filters: Filters }) {
  const { say } = useLanguage()
  const [form, setForm] = useState(filters)
  const field = (name: keyof Filters) => ({
    label: say(name),
    value: form[name],
    onChange: (value: string) => setForm({ ...form, [name]: value }),
  })
  function send(event: FormEvent): void {
    event.preventDefault()
    search('log', form)
  }
  return (
    <search>
      <form className="card log-filter" onSubmit={send}>
        <Field {...field('actor')} />
        <Field {...field('action')} help="store.change" />
        <Field {...field('subject')} help="store:1" />
        <Field {...field('from')} type="datetime-local" />
        <Field {...field('to')} type="datetime-local" />
        <div className="log-send">
          <Button type="submit">
            <Icon name="search" />
            {say('find')}
          </Button>
          <Button look="quiet" onClick={() => search('log', {})}>
            {say('showAll')}
          </Button>
        </div>
      </form>
    </search>
  )
}

/** What an act changed: the names of the API with their values before and after. */
export function Difference({ entry: { before, after } }: { entry: LogEntry }) {
  const { say } = useLanguage()
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter((name) => text(before?.[name]) !== text(after?.[name]))
  if (changed.length === 0) return <p className="small soft">{say('noDifference')}</p>
  return (
    <div dir="ltr" className="difference">
      <Facts
        facts={changed.map((name) => [
          name,
          before === null ? text(after?.[name]) : `${text(before[name])} → ${text(after?.[name])}`,
        ])}
      />
    </div>
  )
}

function text(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
