import type { SecurityEventList } from '@florin/contract/securityEvents.js'
import { SECURITY_EVENT_KINDS } from '@florin/server/core/securityEvent.js'
import { EventSentence, EventSource } from '../../kit/account/SecurityEvents.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { When } from '../../kit/console/Table.tsx'
import { Button, Field, Select } from '../../kit/controls.tsx'
import { Icon } from '../../kit/display.tsx'
import { onSubmit, useFields } from '../../kit/form.ts'
import { usePages } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { filterPage, usePageFilters } from '../route.ts'

const FILTERS = ['kind', 'account', 'store', 'address', 'from', 'to'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** Security events of all accounts. The filters are in the address, so links keep them. */
export function SecurityPage() {
  const { say } = useLanguage()
  const { filters, apiQuery, key } = usePageFilters(FILTERS)
  const list = usePages<SecurityEventList>(`security-events?${apiQuery}`)
  return (
    <PageFrame title={say('security')}>
      <Filter key={key} filters={filters} />
      <PagedTable
        list={list}
        rowsOf={(page) => page.events}
        label={say('security')}
        keyOf={({ id }) => id}
        empty={<Empty title={say('noEntries')} />}
        columns={[
          [say('time'), ({ at }) => <When at={at} />],
          [say('event'), (event) => <EventSentence event={event} />],
          [
            say('eventAccount'),
            ({ account_email: email, account_id: id }) => <bdi>{email ?? id ?? '–'}</bdi>,
          ],
          [say('actor'), ({ actor }) => <bdi>{actor}</bdi>],
          [say('eventSource'), (event) => <EventSource event={event} />],
        ]}
      />
    </PageFrame>
  )
}

function Filter({ filters }: { filters: Filters }) {
  const { say } = useLanguage()
  const { fields, field } = useFields(filters)
  return (
    <search>
      <form className="card log-filter" onSubmit={onSubmit(() => filterPage('security', fields))}>
        <Select
          label={say('event')}
          {...field('kind')}
          options={[
            ['', say('allKinds')],
            ...SECURITY_EVENT_KINDS.map((kind) => [kind, say(`event_${kind}`)] as const),
          ]}
        />
        <Field label={say('eventAccount')} {...field('account')} help="ada@example.com" />
        <Field label={say('store')} {...field('store')} inputMode="numeric" help="1" />
        <Field label={say('address')} {...field('address')} help="192.0.2.1" />
        <Field label={say('from')} {...field('from')} type="datetime-local" />
        <Field label={say('to')} {...field('to')} type="datetime-local" />
        <div className="log-send">
          <Button type="submit">
            <Icon name="search" />
            {say('find')}
          </Button>
          <Button look="quiet" onClick={() => filterPage('security', {})}>
            {say('showAll')}
          </Button>
        </div>
      </form>
    </search>
  )
}
