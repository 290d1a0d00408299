import { useState } from 'react'
import { Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Button } from '../../kit/controls.tsx'
import type { Problem } from '../../kit/request.ts'
import { useAsked } from '../../kit/store/session.tsx'
import { AskFirst } from '../AskFirst.tsx'
import { useLanguage } from '../language.ts'
import { ShownOnce } from '../ShownOnce.tsx'
import type { Member, WithPassword } from '../types.ts'
import { useSure } from '../useSure.tsx'
import { PersonForm } from './PersonForm.tsx'

type Doing =
  | { readonly kind: 'add' }
  | { readonly kind: 'change' | 'disable' | 'password'; readonly member: Member }

export function Team() {
  const { say } = useLanguage()
  const asked = useAsked<{ readonly people: readonly Member[] }>('people')
  const { askSure, passwordDialog } = useSure()
  const [doing, setDoing] = useState<Doing | null>(null)
  const [made, setMade] = useState<WithPassword | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const close = () => setDoing(null)

  async function call(path: string, method: 'POST' | 'PATCH', body?: unknown) {
    const answer = await askSure<WithPassword>(path, { method, body })
    if (!answer.ok) return answer.problem
    if (answer.data.password !== undefined) setMade(answer.data)
    asked.again()
    return null
  }
  const enable = (member: Member) =>
    void call(`people/${member.person_id}`, 'PATCH', { disabled: false }).then(setProblem)

  return (
    <>
      <div className="buttons">
        <Button onClick={() => setDoing({ kind: 'add' })}>{say('addPerson')}</Button>
      </div>
      <Loaded asked={{ ...asked, problem: asked.problem ?? problem }}>
        {({ people }) => <Members people={people} choose={setDoing} enable={enable} />}
      </Loaded>
      {doing?.kind === 'add' && (
        <PersonForm member={null} save={(body) => call('people', 'POST', body)} close={close} />
      )}
      {doing?.kind === 'change' && (
        <PersonForm
          member={doing.member}
          save={(body) => call(`people/${doing.member.person_id}`, 'PATCH', body)}
          close={close}
        />
      )}
      {doing?.kind === 'disable' && (
        <AskFirst
          title={say('disableAsk', { name: doing.member.name })}
          note={say('disableNote')}
          action={say('disable')}
          isDanger={true}
          close={close}
          conflict={say('lastOwner')}
          act={() => call(`people/${doing.member.person_id}`, 'PATCH', { disabled: true })}
        />
      )}
      {doing?.kind === 'password' && (
        <AskFirst
          title={say('newPasswordAsk', { name: doing.member.name })}
          note={say('newPasswordNote')}
          action={say('newPassword')}
          close={close}
          act={() => call(`people/${doing.member.person_id}/password`, 'POST')}
        />
      )}
      {made && (
        <ShownOnce
          title={say('passwordOf', { name: made.name })}
          note={say('passwordOnce')}
          texts={[
            [say('email'), made.email],
            [say('password'), made.password!],
          ]}
          action={say('done')}
          close={() => setMade(null)}
        />
      )}
      {passwordDialog}
    </>
  )
}

type Props = {
  people: readonly Member[]
  choose: (doing: Doing) => void
  enable: (member: Member) => void
}

function Members({ people, choose, enable }: Props) {
  const { say } = useLanguage()
  return (
    <div className="acts">
      <Table
        label={say('team')}
        rows={people}
        keyOf={(member) => member.person_id}
        columns={[
          {
            title: say('name'),
            cell: ({ name, email }) => (
              <>
                <strong dir="auto">{name}</strong>
                <div className="soft small">
                  <bdi>{email}</bdi>
                </div>
              </>
            ),
          },
          { title: say('role'), cell: ({ role }) => say(role) },
          {
            title: say('state'),
            isExtra: true,
            cell: ({ disabled_at }) => say(disabled_at === null ? 'isActive' : 'isDisabled'),
          },
          {
            title: say('change'),
            isEnd: true,
            cell: (member) => (
              <div className="buttons buttons-end">
                {(member.disabled_at === null ? actionsOf(member) : []).map((kind) => {
                  const word = say(WORDS[kind])
                  return (
                    <Button
                      key={kind}
                      look="quiet"
                      aria-label={`${word}: ${member.name}`}
                      onClick={() => choose({ kind, member })}
                    >
                      {word}
                    </Button>
                  )
                })}
                {member.disabled_at !== null && (
                  <Button look="quiet" onClick={() => enable(member)}>
                    {say('enable')}
                  </Button>
                )}
              </div>
            ),
          },
        ]}
      />
    </div>
  )
}

const WORDS = { change: 'change', password: 'newPassword', disable: 'disable' } as const

/** The password of an owner is the operator's to reset. */
const actionsOf = ({ role }: Member) =>
  (['change', 'password', 'disable'] as const).filter(
    (kind) => kind !== 'password' || role !== 'owner',
  )
