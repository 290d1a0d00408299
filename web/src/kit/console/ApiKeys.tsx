import type { Credential } from '@florin/contract/keys.js'
import type { ReactNode } from 'react'
import { useTimeText } from '../display.tsx'
import { useConsoleLanguage } from '../language.tsx'
import type { Resource } from '../query.ts'
import { parseTime } from '../time.ts'
import { Badge, type Tone } from './actions.tsx'
import { Empty, Loaded } from './states.tsx'
import { type Column, Table, TwoLines } from './Table.tsx'

type KeyState = 'active' | 'revoked' | 'expired'

const TONES: Record<KeyState, Tone> = { active: 'good', revoked: 'neutral', expired: 'warn' }

export const keyName = ({ label, api_key }: Credential): string => label || api_key

export function keyState({ revoked_at, expires_at }: Credential): KeyState {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && parseTime(expires_at) <= new Date() ? 'expired' : 'active'
}

type Props = {
  keys: Resource<readonly Credential[]>
  label: string
  titles: { readonly key: string; readonly state: string; readonly actions: string }
  states: Record<KeyState, string>
  /** The app's own columns, between the key and its state. */
  columns: readonly Column<Credential>[]
  /** The buttons of an active key. */
  actions: (key: Credential) => ReactNode
  timeZone?: string
}

/** The API keys of a store, for its owner and for operators. */
export function ApiKeys(props: Props) {
  const { keys, label, titles, states, columns, actions, timeZone } = props
  const { translate } = useConsoleLanguage()
  return (
    <Loaded resource={keys}>
      {(rows) => (
        <div className="action-table key-table">
          <Table
            label={label}
            rows={rows}
            empty={<Empty title={translate('noKeys')} note={translate('noKeysHelp')} />}
            keyOf={(key) => key.api_key}
            columns={[
              [titles.key, (key) => <KeyCell apiKey={key} />],
              ...columns,
              [
                titles.state,
                (key) => <StateCell apiKey={key} states={states} timeZone={timeZone} />,
              ],
              [
                titles.actions,
                (key) =>
                  keyState(key) === 'active' && <div className="row-actions">{actions(key)}</div>,
                'end',
              ],
            ]}
          />
        </div>
      )}
    </Loaded>
  )
}

/** The key and what it can do: as columns of their own, they would leave no room for the buttons. */
function KeyCell({ apiKey }: { apiKey: Credential }) {
  const { translate } = useConsoleLanguage()
  return (
    <>
      <TwoLines first={keyName(apiKey)} second={apiKey.label && apiKey.api_key} />
      <div className="small">
        {apiKey.scopes.map((scope) => translate(`keyScope_${scope}`)).join(' · ')}
      </div>
    </>
  )
}

/** Until when the previous secret works too; null if it doesn't. */
export function oldSecretUntil({ previous_secret_until: until }: Credential): string | null {
  return until !== null && parseTime(until) > new Date() ? until : null
}

type StateCellProps = {
  apiKey: Credential
  states: Props['states']
  timeZone: Props['timeZone']
}

function StateCell({ apiKey, states, timeZone }: StateCellProps) {
  const { translate } = useConsoleLanguage()
  const timeText = useTimeText(timeZone)
  const state = keyState(apiKey)
  const { expires_at: expiresAt } = apiKey
  const oldUntil = oldSecretUntil(apiKey)
  return (
    <div>
      <Badge tone={TONES[state]} text={states[state]} />
      {state === 'active' && oldUntil && (
        <div className="soft small">
          {translate('oldSecretUntil', { time: timeText(oldUntil) })}
        </div>
      )}
      {state === 'active' && expiresAt && (
        <div className="soft small">
          {translate('keyUntil')} {timeText(expiresAt)}
        </div>
      )}
    </div>
  )
}
