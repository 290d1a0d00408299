import { SCOPES } from '@florin/contract/values.js'
import type { Scope } from '@florin/server/core/credentials.js'
import { Checkbox, CheckGroup } from '../controls.tsx'
import { useConsoleLanguage } from '../language.tsx'

/** The default scopes of a new key. They exclude refunds: few programs need them, and a leaked key would cost money. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'create']

type Props = { scopes: readonly Scope[]; onChange: (scopes: readonly Scope[]) => void }

/** The scopes of a new API key. */
export function KeyScopes({ scopes, onChange }: Props) {
  const { translate } = useConsoleLanguage()
  const toggle = (scope: Scope, isChecked: boolean) =>
    onChange(SCOPES.filter((other) => (other === scope ? isChecked : scopes.includes(other))))
  return (
    <CheckGroup legend={translate('keyMay')} isChosen={scopes.length > 0}>
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          label={translate(`keyScope_${scope}`)}
          isChecked={scopes.includes(scope)}
          onChange={(isChecked) => toggle(scope, isChecked)}
        />
      ))}
    </CheckGroup>
  )
}
