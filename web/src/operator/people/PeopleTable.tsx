import type { Role } from '@florin/server/core/person.js'
import { useState } from 'react'
import { Table } from '../../kit/console/Table.tsx'
import { Choice } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import { Act } from '../Act.tsx'
import { Badge } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../place.ts'
import { ShownOnce } from '../Shown.tsx'
import { useSession } from '../session.ts'
import { type Person, ROLES } from '../types.ts'

type PeopleTableProps = {
  people: readonly Person[]
  /** Names the store of each, where they are of several. */
  withStore?: boolean
  onDone: () => void
}

/** People of stores, with what an operator does for them. */
export function PeopleTable({ people, withStore = false, onDone }: PeopleTableProps) {
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

type Account = {
  readonly name: string
  readonly email: string
  readonly disabled_at: string | null
}

export function NameCell({ name, email }: Account) {
  return (
    <div>
      <bdi>{name}</bdi>
      <div className="small soft">
        <bdi>{email}</bdi>
      </div>
    </div>
  )
}

export function SignInBadge({ disabled_at: at }: Account) {
  const { say } = useLanguage()
  return <Badge tone={at ? 'quiet' : 'good'} word={say(at ? 'disabled' : 'canSignIn')} />
}

type DisableActProps = {
  account: Account
  /** Those among whom it is counted who can still sign in. */
  all: readonly Account[]
  path: string
  onDone: () => void
}

/** Lets somebody in no longer, or again. */
export function DisableAct({ account, all, path, onDone }: DisableActProps) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const isDisabled = account.disabled_at !== null
  const enabled = all.filter((one) => one.disabled_at === null).length
  const word = isDisabled ? say('enable') : say('disable')
  return (
    <Act
      label={word}
      confirm={word}
      isDanger={!isDisabled}
      onDone={onDone}
      run={() => ask(path, { method: 'PATCH', body: { disabled: !isDisabled } })}
    >
      <p>{isDisabled ? say('enableNote') : say('disableNote')}</p>
      <Facts
        facts={[
          [say('name'), account.name],
          [say('canSignInNow'), String(enabled)],
          [say('canSignInAfter'), String(enabled + (isDisabled ? 1 : -1))],
        ]}
      />
    </Act>
  )
}

/** For who has forgotten it: a new one is made up and shown once. */
export function ResetPassword({ name, path }: { name: string; path: string }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [password, setPassword] = useState<string | null>(null)
  return (
    <>
      <Act<{ password: string }>
        label={say('resetPassword')}
        confirm={say('resetPassword')}
        isDanger={true}
        run={() => ask(path, { method: 'POST' })}
        onDone={(done) => setPassword(done.password)}
      >
        <p>{say('resetNote')}</p>
        <Facts facts={[[say('name'), name]]} />
      </Act>
      <ShownOnce
        title={say('newPassword')}
        secrets={password === null ? null : [[say('password'), password]]}
        onClose={() => setPassword(null)}
      />
    </>
  )
}
