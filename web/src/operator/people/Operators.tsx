import { useState } from 'react'
import { Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { ShownOnce } from '../Shown.tsx'
import { TIME_ZONE, useAsked, useSession } from '../session.ts'
import type { OperatorAccount } from '../types.ts'
import { DisableAct, NameCell, ResetPassword, SignInBadge } from './PeopleTable.tsx'

/** Who runs the service. Each may do everything, so there are no roles. */
export function Operators() {
  const { say } = useLanguage()
  const { who } = useSession()
  const asked = useAsked<{ operators: OperatorAccount[] }>('operators')
  const [password, setPassword] = useState<string | null>(null)
  return (
    <section className="stack" aria-labelledby="operators">
      <div className="page-title">
        <h2 id="operators">{say('operators')}</h2>
        <AddOperator
          onDone={(made) => {
            setPassword(made.password)
            asked.again()
          }}
        />
      </div>
      <Loaded asked={asked} lines={2}>
        {({ operators }) => (
          <Table
            label={say('operators')}
            rows={operators}
            keyOf={({ operator_id }) => operator_id}
            columns={[
              {
                title: say('name'),
                cell: (one) => <NameCell {...one} />,
              },
              {
                title: say('state'),
                cell: (one) => <SignInBadge {...one} />,
              },
              {
                title: say('since'),
                isExtra: true,
                cell: ({ created_at: at }) => <When at={at} timeZone={TIME_ZONE} />,
              },
              {
                title: say('acts'),
                isEnd: true,
                cell: (one) =>
                  // Nobody shuts out himself by mistake.
                  one.operator_id !== who.operator.operator_id && (
                    <OperatorActs one={one} operators={operators} onDone={asked.again} />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <ShownOnce
        title={say('newPassword')}
        secrets={password === null ? null : [[say('password'), password]]}
        onClose={() => setPassword(null)}
      />
    </section>
  )
}

type Made = OperatorAccount & { readonly password: string }

function AddOperator({ onDone }: { onDone: (made: Made) => void }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  return (
    <Act<Made>
      label={say('addOperator')}
      confirm={say('addOperator')}
      onDone={onDone}
      isIncomplete={name.trim() === '' || !email.includes('@')}
      run={() => ask('operators', { method: 'POST', body: { name, email } })}
    >
      <Field label={say('name')} value={name} onChange={setName} />
      <Field label={say('email')} type="email" value={email} onChange={setEmail} />
      <p className="small soft">{say('operatorNote')}</p>
    </Act>
  )
}

type ActsProps = {
  one: OperatorAccount
  operators: readonly OperatorAccount[]
  onDone: () => void
}

function OperatorActs({ one, operators, onDone }: ActsProps) {
  const path = `operators/${one.operator_id}`
  return (
    <div className="row-acts">
      <ResetPassword name={one.name} path={`${path}/password`} />
      <DisableAct account={one} all={operators} path={path} onDone={onDone} />
    </div>
  )
}
