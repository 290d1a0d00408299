import type { OperatorStore } from '@florin/contract/operator.js'
import type { People } from '@florin/contract/store.js'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { AddAccount } from '../people/AccountActions.tsx'
import { PeopleTable } from '../people/PeopleTable.tsx'

/** The staff of the store. */
export function StorePeople({ store }: { store: OperatorStore }) {
  const { say } = useLanguage()
  const path = `stores/${store.id}/people`
  const resource = useResource<People>(path)
  return (
    <>
      <div className="page-actions">
        <AddAccount
          label={say('addPerson')}
          note={say('passwordGenerated')}
          path={path}
          withRole
          onDone={resource.reload}
        />
      </div>
      <Loaded resource={resource}>
        {({ people }) => (
          <PeopleTable
            people={people}
            empty={<Empty title={say('noPeople')} note={say('noPeopleHelp')} />}
            onDone={resource.reload}
          />
        )}
      </Loaded>
    </>
  )
}
