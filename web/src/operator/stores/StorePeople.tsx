import type { Role } from '@florin/server/core/person.js'
import { useState } from 'react'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Choice, Field } from '../../kit/controls.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { PeopleTable } from '../people/PeopleTable.tsx'
import { ShownOnce } from '../Shown.tsx'
import { useAsked, useSession } from '../session.ts'
import { type Person, ROLES, type Store } from '../types.ts'

/** Who works for the store. */
export function StorePeople({ store }: { store: Store }) {
  const { say } = useLanguage()
  const asked = useAsked<{ people: Person[] }>(`stores/${store.id}/people`)
  const [password, setPassword] = useState<string | null>(null)
  return (
    <>
      <div className="page-actions">
        <AddPerson
          store={store}
          onDone={(made) => {
            setPassword(made.password)
            asked.again()
          }}
        />
      </div>
      <Loaded asked={asked}>
        {({ people }) =>
          people.length === 0 ? (
            <Empty title={say('noPeople')}>
              <p className="soft">{say('noPeopleHelp')}</p>
            </Empty>
          ) : (
            <PeopleTable people={people} onDone={asked.again} />
          )
        }
      </Loaded>
      <ShownOnce
        title={say('newPassword')}
        secrets={password === null ? null : [[say('password'), password]]}
        onClose={() => setPassword(null)}
      />
    </>
  )
}

type Made = Person & { readonly password: string }

function AddPerson({ store, onDone }: { store: Store; onDone: (made: Made) => void }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('owner')
  return (
    <Act<Made>
      label={say('addPerson')}
      look="primary"
      confirm={say('addPerson')}
      onDone={onDone}
      isIncomplete={name.trim() === '' || !email.includes('@')}
      run={() => ask(`stores/${store.id}/people`, { method: 'POST', body: { name, email, role } })}
    >
      <Field label={say('name')} value={name} onChange={setName} />
      <Field label={say('email')} type="email" value={email} onChange={setEmail} />
      <Choice<Role>
        label={say('role')}
        value={role}
        onChange={setRole}
        options={ROLES.map((one) => [one, say(one)])}
      />
      <p className="small soft">{say('passwordMadeUp')}</p>
    </Act>
  )
}
