import type { Operator } from '@florin/contract/operators.js'
import type { OperatorRole } from '@florin/server/core/operator.js'
import { useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Select } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

const ROLES: readonly OperatorRole[] = ['admin', 'finance', 'support', 'auditor']

type SelectProps = { value: OperatorRole; onChange: (role: OperatorRole) => void }

/** The role of an operator, and what it allows. */
export function OperatorRoleSelect({ value, onChange }: SelectProps) {
  const { say } = useLanguage()
  return (
    <Select
      label={say('role')}
      value={value}
      onChange={onChange}
      help={say(`operatorRoleNote_${value}`)}
      options={ROLES.map((role) => [role, say(`operatorRole_${role}`)] as const)}
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
  const { say } = useLanguage()
  const { request } = useSession()
  const [role, setRole] = useState(operator.role)
  const nameOf = (one: OperatorRole) => say(`operatorRole_${one}`)
  return (
    <ActionButton
      label={say('changeRole')}
      subject={operator.name}
      onDone={onDone}
      blocked={role === operator.role && say('nothingChanged')}
      onOpen={() => setRole(operator.role)}
      conflict={say('lastAdmin')}
      run={() => request(`operators/${operator.operator_id}`, { method: 'PATCH', body: { role } })}
    >
      <OperatorRoleSelect value={role} onChange={setRole} />
      <Facts facts={[[say('role'), `${nameOf(operator.role)} → ${nameOf(role)}`]]} />
    </ActionButton>
  )
}
