import type { IssuedToken } from '@florin/contract/tokens.js'
import { PERMISSIONS } from '@florin/contract/values.js'
import type { Permission } from '@florin/server/core/operator.js'
import { useState } from 'react'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Checkbox, CheckGroup, Field, Select } from '../../kit/controls.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

const DAYS = ['7', '30', '90', '365'] as const
const DAY_MS = 86_400_000

/** Creates a token. The page shows it once. */
export function NewToken({ onDone }: { onDone: (token: IssuedToken) => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState<readonly Permission[]>([])
  const [days, setDays] = useState<(typeof DAYS)[number]>('90')
  const toggle = (scope: Permission) => (isChecked: boolean) =>
    setScopes(isChecked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
  return (
    <ActionButton<IssuedToken>
      label={translate('newToken')}
      look="primary"
      confirmLabel={translate('createToken')}
      onOpen={() => {
        setLabel('')
        setScopes([])
        setDays('90')
      }}
      run={() => {
        const expires_at = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
        return request('tokens', {
          method: 'POST',
          body: { label: label.trim(), scopes, expires_at },
        })
      }}
      onDone={onDone}
    >
      <Field
        label={translate('label')}
        help={translate('tokenLabelHelp')}
        name="label"
        value={label}
        onChange={setLabel}
        isRequired
      />
      <CheckGroup legend={translate('scopes')} isChosen={scopes.length > 0}>
        {PERMISSIONS.map((scope) => (
          <Checkbox
            key={scope}
            label={`${translate(`scope_${scope}`)}: ${translate(`scopeNote_${scope}`)}`}
            isChecked={scopes.includes(scope)}
            onChange={toggle(scope)}
          />
        ))}
      </CheckGroup>
      <Select
        label={translate('expiresAfter')}
        value={days}
        onChange={setDays}
        options={DAYS.map((count) => [count, translate('days', { count: Number(count) })] as const)}
      />
    </ActionButton>
  )
}
