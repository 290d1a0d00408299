import type { OperatorStore, StoreList as StorePage } from '@florin/contract/operator.js'
import { percentText } from '@florin/shared/numbers.js'
import { useEffect, useState } from 'react'
import { ActionButton, Badge } from '../../kit/console/actions.tsx'
import { KEEP_MS, useListMemory } from '../../kit/console/listMemory.ts'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedTable } from '../../kit/console/states.tsx'
import { RelativeTime } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { useFields } from '../../kit/form.ts'
import { CurrencySelect, TimeZoneSelect } from '../../kit/pickers.tsx'
import { usePages } from '../../kit/query.ts'
import { navigate } from '../../kit/router.ts'
import { LOCAL_TIME_ZONE } from '../../kit/time.ts'
import { Allowed } from '../Allowed.tsx'
import { Search } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { filterPage, hrefTo, type PageProps, useOperatorRoute } from '../route.ts'
import { useCan, useSession } from '../session.ts'
import { PaymentPage } from './PaymentPage.tsx'
import { StoreDetails } from './StoreDetails.tsx'

export function StoresPage({ id, part, item }: PageProps) {
  if (part === 'payments' && item !== '') return <PaymentPage key={item} id={item} />
  return id === '' ? <StoreList /> : <StoreDetails id={id} part={part} />
}

function StoreList() {
  const { translate, locale } = useLanguage()
  const canCreate = useCan('admin')
  const search = useOperatorRoute().query.get('search') ?? ''
  const query = search === '' ? '' : `&search=${encodeURIComponent(search)}`
  const list = usePages<StorePage>(`stores?limit=50${query}`, { keepMs: KEEP_MS })
  useListMemory(hrefTo('stores'), list.pages.length > 0)
  return (
    <PageFrame
      title={translate('stores')}
      actions={
        <Allowed permission="admin">
          <NewStore />
        </Allowed>
      }
    >
      <Search
        label={translate('findStore')}
        value={search}
        onSearch={(text) => filterPage('stores', { search: text })}
      />
      <PagedTable
        list={list}
        rowsOf={(page) => page.stores}
        label={translate('stores')}
        keyOf={({ id }) => String(id)}
        hrefOf={({ id }) => hrefTo('stores', String(id))}
        empty={
          <Empty
            title={translate(search === '' ? 'noStores' : 'noStoreFound')}
            note={search === '' && canCreate && translate('noStoresHelp')}
          />
        }
        columns={[
          [translate('name'), ({ name }) => <span dir="auto">{name}</span>],
          [
            translate('state'),
            ({ suspended }) => (
              <Badge
                tone={suspended ? 'bad' : 'good'}
                text={translate(suspended ? 'suspended' : 'active')}
              />
            ),
          ],
          [translate('number'), ({ id }) => id, 'end'],
          [translate('currency'), ({ currency }) => currency, 'extra'],
          [
            translate('fee_bps'),
            ({ fee_bps: bps }) => percentText(bps / 10_000, locale, { maxDecimals: 2 }),
            'end',
            'extra',
          ],
          [translate('since'), ({ created_at: at }) => <RelativeTime at={at} />, 'extra'],
        ]}
      />
    </PageFrame>
  )
}

function NewStore() {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { query } = useOperatorRoute()
  const [startsOpen] = useState(query.has('new'))
  // Remove `new` from the URL, so that coming back to the list doesn't open the form again.
  useEffect(() => {
    if (startsOpen) navigate(hrefTo('stores'), { replace: true })
  }, [startsOpen])
  const { field, trimFields } = useFields({ name: '', currency: '', time_zone: LOCAL_TIME_ZONE })
  return (
    <ActionButton<OperatorStore>
      label={translate('newStore')}
      look="primary"
      startsOpen={startsOpen}
      confirmLabel={translate('createStore')}
      run={() => request('stores', { method: 'POST', body: trimFields() })}
      // Next, the store needs an owner.
      onDone={({ id }) => navigate(hrefTo('stores', String(id), 'people'))}
    >
      <Field label={translate('name')} help={translate('nameHelp')} {...field('name')} isRequired />
      <CurrencySelect
        label={translate('currency')}
        help={translate('currencyHelp')}
        {...field('currency')}
      />
      <TimeZoneSelect label={translate('time_zone')} {...field('time_zone')} />
    </ActionButton>
  )
}
