import { SECURITY_EVENT_KINDS } from '@florin/contract/values.js'
import { SecurityEvents } from '../../kit/account/SecurityEvents.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Field, Select } from '../../kit/controls.tsx'
import { useFields } from '../../kit/form.ts'
import { FilterForm } from '../FilterForm.tsx'
import { useLanguage } from '../language.ts'
import { usePageFilters } from '../route.ts'

const FILTERS = ['kind', 'account', 'store', 'address', 'from', 'to'] as const
type Filters = Record<(typeof FILTERS)[number], string>

/** Security events of all accounts. The filters are in the URL, so that a reload or a copied URL shows the same. */
export function SecurityPage() {
  const { translate } = useLanguage()
  const { filters, apiQuery, key } = usePageFilters(FILTERS)
  return (
    <PageFrame title={translate('security')}>
      <Filter key={key} filters={filters} />
      <section className="card">
        <SecurityEvents path={`security-events?${apiQuery}`} showsAccounts />
      </section>
    </PageFrame>
  )
}

function Filter({ filters }: { filters: Filters }) {
  const { translate } = useLanguage()
  const { fields, field } = useFields(filters)
  return (
    <FilterForm page="security" fields={fields}>
      <Select
        label={translate('event')}
        {...field('kind')}
        options={[
          ['', translate('allKinds')],
          ...SECURITY_EVENT_KINDS.map((kind) => [kind, translate(`event_${kind}`)] as const),
        ]}
      />
      <Field label={translate('eventAccount')} {...field('account')} help="ada@example.com" />
      <Field label={translate('store')} {...field('store')} inputMode="numeric" help="1" />
      <Field label={translate('address')} {...field('address')} help="192.0.2.1" />
      <Field label={translate('from')} {...field('from')} type="datetime-local" />
      <Field label={translate('to')} {...field('to')} type="datetime-local" />
    </FilterForm>
  )
}
