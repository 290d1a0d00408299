import { useState } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty } from '../../kit/console/states.tsx'
import { When } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Act } from '../Act.tsx'
import { Badge } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import { isCurrency, percentOf } from '../numbers.ts'
import { Paged } from '../Paged.tsx'
import { hrefTo, type PageProps, search, useOperatorPlace } from '../place.ts'
import { Search } from '../Search.tsx'
import { TIME_ZONE, useSession } from '../session.ts'
import type { Store } from '../types.ts'
import { usePages } from '../usePages.ts'
import { StorePage } from './StorePage.tsx'

export function StoresPage({ id, part }: PageProps) {
  return id === '' ? <StoreList /> : <StorePage id={id} part={part} />
}

function StoreList() {
  const { say } = useLanguage()
  const wanted = useOperatorPlace().query.get('search') ?? ''
  const query = wanted === '' ? '' : `&search=${encodeURIComponent(wanted)}`
  const pages = usePages<Store, 'stores'>(`stores?limit=50${query}`, 'stores')
  return (
    <PageFrame title={say('stores')} actions={<NewStore />}>
      <Search
        label={say('findStore')}
        value={wanted}
        onSearch={(text) => search('stores', { search: text })}
      />
      <Paged
        pages={pages}
        label={say('stores')}
        keyOf={({ id }) => String(id)}
        hrefOf={({ id }) => hrefTo('stores', String(id))}
        empty={
          <Empty title={say(wanted === '' ? 'noStores' : 'noStoreFound')}>
            {wanted === '' && <p className="soft">{say('noStoresHelp')}</p>}
          </Empty>
        }
        columns={[
          { title: say('name'), cell: ({ name }) => <span dir="auto">{name}</span> },
          {
            title: say('state'),
            cell: ({ suspended }) => (
              <Badge
                tone={suspended ? 'bad' : 'good'}
                word={say(suspended ? 'suspended' : 'active')}
              />
            ),
          },
          { title: say('number'), isEnd: true, cell: ({ id }) => id },
          { title: say('currency'), isExtra: true, cell: ({ currency }) => currency },
          {
            title: say('fee_bps'),
            isEnd: true,
            isExtra: true,
            cell: ({ fee_bps: bps }) => `${percentOf(bps)} %`,
          },
          {
            title: say('since'),
            isExtra: true,
            cell: ({ created_at: at }) => <When at={at} timeZone={TIME_ZONE} />,
          },
        ]}
      />
    </PageFrame>
  )
}

function NewStore() {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [name, setName] = useState('')
  const [currency, setCurrency] = useState('')
  const [zone, setZone] = useState(TIME_ZONE)
  return (
    <Act<Store>
      label={say('newStore')}
      look="primary"
      confirm={say('createStore')}
      isIncomplete={name.trim() === '' || !isCurrency(currency)}
      run={() => ask('stores', { method: 'POST', body: { name, currency, time_zone: zone } })}
      onDone={({ id }) => {
        location.hash = hrefTo('stores', String(id))
      }}
    >
      <Field label={say('name')} help={say('nameHelp')} value={name} onChange={setName} />
      <Field
        label={say('currency')}
        help={say('currencyHelp')}
        value={currency}
        maxLength={3}
        onChange={(text) => setCurrency(text.toUpperCase())}
      />
      <Field label={say('time_zone')} value={zone} onChange={setZone} />
    </Act>
  )
}
