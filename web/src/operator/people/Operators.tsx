import type { CreatedOperator, OperatorList } from '@florin/contract/operators.js'
import { useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { useResource } from '../../kit/query.ts'
import { NewPassword } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'
import { AccountActions, NameCell, SignInBadge } from './AccountActions.tsx'

/** The accounts of all operators. They have no roles: each may do everything. */
export function Operators() {
  const { say } = useLanguage()
  const { account } = useSession()
  const resource = useResource<OperatorList>('operators')
  const [password, setPassword] = useState<string | null>(null)
  return (
    <section className="stack" aria-labelledby="operators">
      <div className="page-title">
        <h2 id="operators">{say('operators')}</h2>
        <AddOperator
          onDone={(created) => {
            setPassword(created.password ?? null)
            resource.reload()
          }}
        />
      </div>
      <Loaded resource={resource} lines={2}>
        {({ operators }) => (
          <Table
            label={say('operators')}
            rows={operators}
            keyOf={({ operator_id }) => operator_id}
            columns={[
              [say('name'), (operator) => <NameCell {...operator} />],
              [say('state'), (operator) => <SignInBadge {...operator} />],
              [say('since'), ({ created_at: at }) => <When at={at} />, 'extra'],
              [
                say('actions'),
                (operator) =>
                  // Operators cannot disable themselves by mistake.
                  operator.operator_id !== account.operator.operator_id && (
                    <AccountActions
                      account={operator}
                      all={operators}
                      path={`operators/${operator.operator_id}`}
                      onDone={resource.reload}
                    />
                  ),
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
      <NewPassword password={password} onClose={() => setPassword(null)} />
    </section>
  )
}

function AddOperator({ onDone }: { onDone: (created: CreatedOperator) => void }) {
  const { say } = useLanguage()
  const { request } = useSession()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  return (
    <ActionButton<CreatedOperator>
      label={say('addOperator')}
      onDone={onDone}
      isIncomplete={name.trim() === '' || !email.includes('@')}
      run={() => request('operators', { method: 'POST', body: { name, email } })}
    >
      <Field label={say('name')} value={name} onChange={setName} />
      <Field label={say('email')} type="email" value={email} onChange={setEmail} />
      <p className="small soft">{say('operatorNote')}</p>
    </ActionButton>
  )
}
