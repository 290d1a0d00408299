import type { People } from '@florin/contract/store.js'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { useResource } from '../../kit/query.ts'
import { Search } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { filterPage, useOperatorRoute } from '../route.ts'
import { Operators } from './Operators.tsx'
import { PeopleTable } from './PeopleTable.tsx'

/** Finds staff of any store by email address, and lists the operators. */
export function PeoplePage() {
  const { say } = useLanguage()
  const email = useOperatorRoute().query.get('email') ?? ''
  return (
    <PageFrame title={say('people')}>
      <Search
        label={say('findPerson')}
        value={email}
        onSearch={(text) => filterPage('people', { email: text })}
      />
      {email !== '' && <Found email={email} />}
      <Operators />
    </PageFrame>
  )
}

function Found({ email }: { email: string }) {
  const { say } = useLanguage()
  const resource = useResource<People>(`people?email=${encodeURIComponent(email)}`)
  return (
    <Loaded resource={resource} lines={1}>
      {({ people }) => (
        <PeopleTable
          people={people}
          empty={<Empty title={say('noPersonFound')} />}
          withStore
          onDone={resource.reload}
        />
      )}
    </Loaded>
  )
}
