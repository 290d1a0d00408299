import { SECURITY_EVENT_KINDS } from '@florin/server/core/securityEvent.js'
import { SecurityEvents } from '../../kit/account/SecurityEvents.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Button, Field, Select } from '../../kit/controls.tsx'
import { Icon } from '../../kit/display.tsx'
import { onSubmit, useFields } from '../../kit/form.ts'
import { useLanguage } from '../language.ts'
import { filterPage, usePageFilters } from '../route.ts'

const FILTERS = ['kind', 'account', 'store', 'address', 'from', 'to'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** Security events of all accounts. The filters are in the URL, so links keep them. */
export function SecurityPage() {
  const { say } = useLanguage()
  const { filters, apiQuery, key } = usePageFilters(FILTERS)
  return (
    <PageFrame title={say('security')}>
      <Filter key={key} filters={filters} />
      <section className="card">
        <SecurityEvents path={`security-events?${apiQuery}`} showAccounts />
      </section>
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
