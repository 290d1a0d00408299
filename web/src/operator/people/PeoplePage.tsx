import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { useLanguage } from '../language.ts'
import { search, useOperatorPlace } from '../place.ts'
import { Search } from '../Search.tsx'
import { useAsked } from '../session.ts'
import type { Person } from '../types.ts'
import { Operators } from './Operators.tsx'
import { PeopleTable } from './PeopleTable.tsx'

/** Somebody of any store, by e-mail address; and who runs the service. */
export function PeoplePage() {
  const { say } = useLanguage()
  const email = useOperatorPlace().query.get('email') ?? ''
  return (
    <PageFrame title={say('people')}>
      <Search
        label={say('findPerson')}
        value={email}
        onSearch={(text) => search('people', { email: text })}
      />
      {email !== '' && <Found email={email} />}
      <Operators />
    </PageFrame>
  )
}

function Found({ email }: { email: string }) {
  const { say } = useLanguage()
  const asked = useAsked<{ people: Person[] }>(`people?email=${encodeURIComponent(email)}`)
  return (
    <Loaded asked={asked} lines={1}>
      {({ people }) =>
        people.length === 0 ? (
          <Empty title={say('noPersonFound')} />
        ) : (
          <PeopleTable people={people} withStore onDone={asked.again} />
        )
      }
    </Loaded>
  )
}
