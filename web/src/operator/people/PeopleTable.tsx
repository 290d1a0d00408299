import type { Role } from '@florin/server/core/person.js'
import { useState } from 'react'
import { Choice } from '../../kit/Choice.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Facts } from '../../kit/Facts.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../place.ts'
import { useSession } from '../session.ts'
import { type Person, ROLES } from '../types.ts'
import { ResetPassword } from './ResetPassword.tsx'
import { DisableAct, NameCell, SignInBadge } from './SignInState.tsx'

type Props = {
  people: readonly Person[]
  /** Names the store of each, where they are of several. */
  withStore?: boolean
  onDone: () => void
}

/** People of stores, with what an operator does for them. */
export function PeopleTable({ people, withStore = false, onDone }: Props) {
  const { say } = useLanguage()
  return (
    <Table
      label={say('people')}
      rows={people}
      keyOf={({ person_id }) => person_id}
      columns={[
        {
          title: say('name'),
          cell: (person) => <NameCell {...person} />,
        },
        { title: say('role'), cell: ({ role }) => say(role) },
        ...(withStore
          ? [
              {
                title: say('store'),
                cell: ({ store_id: id }: Person) => (
                  <a href={hrefTo('stores', String(id), 'people')}>{id}</a>
                ),
              },
            ]
          : []),
        {
          title: say('state'),
          cell: (person) => <SignInBadge {...person} />,
        },
        {
          title: say('acts'),
          isEnd: true,
          cell: (person) => <PersonActs person={person} people={people} onDone={onDone} />,
        },
      ]}
    />
  )
}

type ActsProps = { person: Person; people: readonly Person[]; onDone: () => void }

function PersonActs({ person, people, onDone }: ActsProps) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [role, setRole] = useState<Role>(person.role)
  const { person_id: id } = person
  return (
    <div className="row-acts">
      <Act
        label={say('changeRole')}
        confirm={say('changeRole')}
        onDone={onDone}
        isIncomplete={role === person.role}
        onOpen={() => setRole(person.role)}
        run={() => ask(`people/${id}`, { method: 'PATCH', body: { role } })}
      >
        <Choice<Role>
          label={say('role')}
          value={role}
          onChange={setRole}
          options={ROLES.map((one) => [one, say(one)])}
        />
        <Facts
          facts={[
            [say('name'), person.name],
            [say('role'), `${say(person.role)} → ${say(role)}`],
          ]}
        />
      </Act>
      <ResetPassword name={person.name} path={`people/${id}/password`} />
      <DisableAct account={person} all={people} path={`people/${id}`} onDone={onDone} />
    </div>
  )
}
