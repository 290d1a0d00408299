import type { Operator } from '@florin/contract/operators.js'
import { OPERATOR_ROLES } from '@florin/contract/values.js'
import type { OperatorRole } from '@florin/server/core/operator.js'
import { useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Select } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

type SelectProps = { value: OperatorRole; onChange: (role: OperatorRole) => void }

/** The role of an operator, and what it allows. */
export function OperatorRoleSelect({ value, onChange }: SelectProps) {
  const { translate } = useLanguage()
  return (
    <Select
      label={translate('role')}
      value={value}
      onChange={onChange}
      help={translate(`operatorRoleNote_${value}`)}
      options={OPERATOR_ROLES.map((role) => [role, translate(`operatorRole_${role}`)] as const)}
    />
  )
}

export function ChangeOperatorRole({
  operator,
  onDone,
}: {
  operator: Operator
  onDone: () => void
}) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [role, setRole] = useState(operator.role)
  const roleText = (value: OperatorRole) => translate(`operatorRole_${value}`)
  return (
    <ActionButton
      label={translate('changeRole')}
      subject={operator.name}
      onDone={onDone}
      blockedReason={role === operator.role && translate('nothingChanged')}
      onOpen={() => setRole(operator.role)}
      conflictText={translate('lastAdmin')}
      run={() => request(`operators/${operator.operator_id}`, { method: 'PATCH', body: { role } })}
    >
      <OperatorRoleSelect value={role} onChange={setRole} />
      <Facts facts={[[translate('role'), `${roleText(operator.role)} → ${roleText(role)}`]]} />
    </ActionButton>
  )
}
