import type { OperatorList } from '@florin/contract/operators.js'
import type { OperatorRole } from '@florin/server/core/operator.js'
import { Loaded } from '../../kit/console/states.tsx'
import { RelativeTime, Table, TwoLines } from '../../kit/console/Table.tsx'
import { useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { useCan, useSession } from '../session.ts'
import { AccountActions, AddAccount, SignInBadge, SignInCounts } from './AccountActions.tsx'
import { ChangeOperatorRole, OperatorRoleSelect } from './OperatorRole.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** The accounts of all operators, with their roles. */
export function Operators() {
  const { translate } = useLanguage()
  const { account } = useSession()
  const isAdmin = useCan('admin')
  const resource = useResource<OperatorList>('operators')
  return (
    <section className="stack" aria-labelledby="operators">
      <div className="page-title">
        <h2 id="operators">{translate('operators')}</h2>
        <Allowed permission="admin">
          <AddAccount<OperatorRole>
            label={translate('addOperator')}
            path="operators"
            firstRole="support"
            RoleField={OperatorRoleSelect}
            onDone={resource.reload}
          />
        </Allowed>
      </div>
      <Loaded resource={resource} lines={2}>
        {({ operators }) => (
          <Table
            label={translate('operators')}
            rows={operators}
            keyOf={({ operator_id }) => operator_id}
            columns={[
              [
                translate('name'),
                (operator) => <TwoLines first={operator.name} second={operator.email} />,
              ],
              [translate('role'), ({ role }) => translate(`operatorRole_${role}`)],
              [translate('state'), (operator) => <SignInBadge account={operator} />],
              [translate('since'), ({ created_at: at }) => <RelativeTime at={at} />, 'extra'],
              [
                translate('actions'),
                (operator) =>
                  // Operators cannot disable or demote themselves by mistake.
                  isAdmin &&
                  operator.operator_id !== account.operator.operator_id && (
                    <AccountActions
                      account={operator}
                      counts={<SignInCounts account={operator} all={operators} />}
                      path={`operators/${operator.operator_id}`}
                      onDone={resource.reload}
                      conflictText={translate('lastAdmin')}
                    >
                      <ChangeOperatorRole operator={operator} onDone={resource.reload} />
                    </AccountActions>
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
