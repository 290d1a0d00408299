import type { OperatorList } from '@florin/contract/operators.js'
import { Loaded } from '../../kit/console/states.tsx'
import { Table, TwoLines, When } from '../../kit/console/Table.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'
import { AccountActions, AddAccount, SignInBadge } from './AccountActions.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** The accounts of all operators. There are no roles: every operator can do everything. */
export function Operators() {
  const { say } = useLanguage()
  const { account } = useSession()
  const resource = useResource<OperatorList>('operators')
  return (
    <section className="stack" aria-labelledby="operators">
      <div className="page-title">
        <h2 id="operators">{say('operators')}</h2>
        <AddAccount
          label={say('addOperator')}
          note={say('operatorNote')}
          path="operators"
          onDone={resource.reload}
        />
      </div>
      <Loaded resource={resource} lines={2}>
        {({ operators }) => (
          <Table
            label={say('operators')}
            rows={operators}
            keyOf={({ operator_id }) => operator_id}
            columns={[
              [
                say('name'),
                (operator) => <TwoLines first={operator.name} second={operator.email} />,
              ],
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
      <SecondFactor />
    </section>
  )
}
