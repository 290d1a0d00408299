import type { FoundPeople } from '@florin/contract/people.js'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { useResource } from '../../kit/query.ts'
import { Search } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { filterPage, hrefTo, useOperatorRoute } from '../route.ts'
import { Operators } from './Operators.tsx'
import { PeopleTable } from './PeopleTable.tsx'

/** Finds people of any store by the beginnings of words in their names and emails, and lists the operators. */
export function PeoplePage() {
  const { translate } = useLanguage()
  const search = useOperatorRoute().query.get('search') ?? ''
  return (
    <PageFrame title={translate('people')}>
      <Search
        label={translate('findPerson')}
        value={search}
        onSearch={(text) => filterPage('people', { search: text })}
      />
      {search !== '' && <SearchResults search={search} />}
      <Operators />
    </PageFrame>
  )
}

function SearchResults({ search }: { search: string }) {
  const { translate } = useLanguage()
  const resource = useResource<FoundPeople>(`people?search=${encodeURIComponent(search)}`)
  return (
    <Loaded resource={resource} lines={1}>
      {({ people }) => (
        <PeopleTable
          people={people}
          empty={<Empty title={translate('noPersonFound')} />}
          extra={[
            translate('store'),
            ({ store_id: id, store_name: name }) => (
              <a href={hrefTo('stores', String(id), 'people')}>
                <bdi>{name}</bdi>
              </a>
            ),
          ]}
          onDone={resource.reload}
        />
      )}
    </Loaded>
  )
}
