import type { OperatorStore } from '@florin/contract/operator.js'
import type { CreatedPerson, People } from '@florin/contract/store.js'
import type { Role } from '@florin/server/core/person.js'
import { useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Field } from '../../kit/controls.tsx'
import { useResource } from '../../kit/query.ts'
import { NewPassword, RoleSelect } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { PeopleTable } from '../people/PeopleTable.tsx'
import { useSession } from '../session.ts'

/** The staff of the store. */
export function StorePeople({ store }: { store: OperatorStore }) {
  const { say } = useLanguage()
  const resource = useResource<People>(`stores/${store.id}/people`)
  const [password, setPassword] = useState<string | null>(null)
  return (
    <>
      <div className="page-actions">
        <AddPerson
          store={store}
          onDone={(created) => {
            setPassword(created.password ?? null)
            resource.reload()
          }}
        />
      </div>
      <Loaded resource={resource}>
        {({ people }) =>
          people.length === 0 ? (
            <Empty title={say('noPeople')}>
              <p className="soft">{say('noPeopleHelp')}</p>
            </Empty>
          ) : (
            <PeopleTable people={people} onDone={resource.reload} />
          )
        }
      </Loaded>
      <NewPassword password={password} onClose={() => setPassword(null)} />
    </>
  )
}

function AddPerson({
  store,
  onDone,
}: {
  store: OperatorStore
  onDone: (created: CreatedPerson) => void
}) {
  const { say } = useLanguage()
  const { request } = useSession()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('owner')
  return (
    <ActionButton<CreatedPerson>
      label={say('addPerson')}
      look="primary"
      confirm={say('addPerson')}
      onDone={onDone}
      isIncomplete={name.trim() === '' || !email.includes('@')}
      run={() =>
        request(`stores/${store.id}/people`, { method: 'POST', body: { name, email, role } })
      }
    >
      <Field label={say('name')} value={name} onChange={setName} />
      <Field label={say('email')} type="email" value={email} onChange={setEmail} />
      <RoleSelect value={role} onChange={setRole} />
      <p className="small soft">{say('passwordGenerated')}</p>
    </ActionButton>
  )
}
