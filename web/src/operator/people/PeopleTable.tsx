import type { ListedPerson, People } from '@florin/contract/people.js'
import type { Role } from '@florin/server/core/person.js'
import { type ReactNode, useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { RoleSelect } from '../../kit/console/RoleSelect.tsx'
import { type Column, Table, TwoLines } from '../../kit/console/Table.tsx'
import { Facts } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'
import { AccountActions, SignInBadge, SignInCounts } from './AccountActions.tsx'

type Props<Row extends ListedPerson> = {
  people: readonly Row[]
  empty: ReactNode
  /** The column between role and state. */
  extra?: Column<Row>
  onDone: () => void
}

/** The people of stores, with the actions of an operator. */
export function PeopleTable<Row extends ListedPerson>(props: Props<Row>) {
  const { people, empty, extra, onDone } = props
  const { translate } = useLanguage()
  return (
    <Table
      label={translate('people')}
      rows={people}
      empty={empty}
      keyOf={({ person_id }) => person_id}
      columns={[
        [translate('name'), (person) => <TwoLines first={person.name} second={person.email} />],
        [translate('role'), ({ role }) => translate(role)],
        ...(extra === undefined ? [] : [extra]),
        [translate('state'), (person) => <SignInBadge account={person} />],
        [
          translate('actions'),
          (person) => (
            <Allowed permission="admin">
              <AccountActions
                account={person}
                counts={<StoreSignInCounts person={person} />}
                path={`people/${person.person_id}`}
                onDone={onDone}
              >
                <ChangeRole person={person} onDone={onDone} />
              </AccountActions>
            </Allowed>
          ),
          'end',
        ],
      ]}
    />
  )
}

/** Counts the people of the store, because a search finds people of several stores. */
function StoreSignInCounts({ person }: { person: ListedPerson }) {
  const { data } = useResource<People>(`stores/${person.store_id}/people`)
  return data && <SignInCounts account={person} all={data.people} />
}

function ChangeRole({ person, onDone }: { person: ListedPerson; onDone: () => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [role, setRole] = useState<Role>(person.role)
  return (
    <ActionButton
      label={translate('changeRole')}
      subject={person.name}
      onDone={onDone}
      blockedReason={role === person.role && translate('nothingChanged')}
      onOpen={() => setRole(person.role)}
      run={() => request(`people/${person.person_id}`, { method: 'PATCH', body: { role } })}
    >
      <RoleSelect value={role} onChange={setRole} />
      <Facts facts={[[translate('role'), `${translate(person.role)} → ${translate(role)}`]]} />
    </ActionButton>
  )
}
