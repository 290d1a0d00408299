import { ROLES } from '@florin/contract/values.js'
import type { Role } from '@florin/server/core/person.js'
import { Select } from '../controls.tsx'
import { useConsoleLanguage } from '../language.tsx'

export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { translate } = useConsoleLanguage()
  return (
    <Select
      label={translate('role')}
      value={value}
      onChange={onChange}
      options={ROLES.map((role) => [role, translate(role)] as const)}
    />
  )
}
