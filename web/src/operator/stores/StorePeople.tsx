import type { OperatorStore } from '@florin/contract/operator.js'
import type { People } from '@florin/contract/people.js'
import type { Role } from '@florin/server/core/person.js'
import { RoleSelect } from '../../kit/console/RoleSelect.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { AddAccount } from '../people/AccountActions.tsx'
import { PeopleTable } from '../people/PeopleTable.tsx'

/** The people of the store. */
export function StorePeople({ store }: { store: OperatorStore }) {
  const { translate } = useLanguage()
  const path = `stores/${store.id}/people`
  const resource = useResource<People>(path)
  return (
    <>
      <Allowed permission="admin">
        <div className="page-actions">
          <AddAccount<Role>
            label={translate('addPerson')}
            look="primary"
            path={path}
            firstRole="owner"
            RoleField={RoleSelect}
            onDone={resource.reload}
          />
        </div>
      </Allowed>
      <Loaded resource={resource}>
        {({ people }) => (
          <PeopleTable
            people={people}
            empty={<Empty title={translate('noPeople')} note={translate('noPeopleHelp')} />}
            onDone={resource.reload}
          />
        )}
      </Loaded>
    </>
  )
}
