import type { Credential, CredentialList, IssuedCredential } from '@florin/contract/keys.js'
import type { OperatorStore } from '@florin/contract/operator.js'
import type { Mode } from '@florin/server/core/ids.js'
import { useState } from 'react'
import { ApiKeys, keyName, keyState } from '../../kit/console/ApiKeys.tsx'
import { ActionButton } from '../../kit/console/actions.tsx'
import { DEFAULT_SCOPES, KeyScopes } from '../../kit/console/KeyScopes.tsx'
import { RelativeTime, RowTime } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { Allowed } from '../Allowed.tsx'
import { ModeSelect, NewSecrets } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

/** A live and a sandbox key often have the same label. */
function useNameWithMode(): (key: Credential) => string {
  const { translate } = useLanguage()
  return (key) => `${keyName(key)} (${translate(modeWord(key.mode))})`
}

/** The API keys of a store. */
export function Keys({ store }: { store: OperatorStore }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const nameWithMode = useNameWithMode()
  const resource = useResource<CredentialList>(`stores/${store.id}/credentials`)
  const [issued, setIssued] = useState<IssuedCredential | null>(null)
  const keys = resource.data?.credentials ?? null
  function show(credential: IssuedCredential): void {
    setIssued(credential)
    resource.reload()
  }
  return (
    <>
      <Allowed permission="admin">
        <div className="page-actions">
          <IssueKey store={store} onDone={show} />
        </div>
      </Allowed>
      <ApiKeys
        keys={{ ...resource, data: keys }}
        label={translate('store_keys')}
        titles={{
          key: translate('apiKey'),
          state: translate('state'),
          actions: translate('actions'),
        }}
        states={{
          active: translate('keyActive'),
          revoked: translate('revoked'),
          expired: translate('keyExpired'),
        }}
        columns={[
          [translate('mode'), ({ mode }) => translate(modeWord(mode))],
          [
            translate('lastUsed'),
            ({ last_used_at: at, created_at: since }) => (
              <div>
                {at === null ? translate('never') : <RelativeTime at={at} />}
                <div className="soft small">
                  {translate('since')} <RowTime at={since} />
                </div>
              </div>
            ),
            'extra',
          ],
        ]}
        actions={(key) => (
          <Allowed permission="admin">
            <ActionButton<IssuedCredential>
              label={translate('rotate')}
              subject={nameWithMode(key)}
              onDone={show}
              noResponseText={translate('secretNoResponse')}
              run={() => request(`credentials/${key.api_key}/rotate`, { method: 'POST' })}
            >
              <p>{translate('rotateNote')}</p>
            </ActionButton>
            <RevokeKey apiKey={key} keys={keys ?? []} onDone={resource.reload} />
          </Allowed>
        )}
      />
      <NewSecrets
        title={translate('apiKey')}
        secrets={
          issued && [
            [translate('apiKey'), issued.api_key],
            [translate('apiSecret'), issued.api_secret],
            [translate('webhookSecret'), issued.webhook_secret],
          ]
        }
        onClose={() => setIssued(null)}
      />
    </>
  )
}

type IssueKeyProps = { store: OperatorStore; onDone: (issued: IssuedCredential) => void }

function IssueKey({ store, onDone }: IssueKeyProps) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const [mode, setMode] = useState<Mode>('sandbox')
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState(DEFAULT_SCOPES)
  const body = { mode, label: label.trim(), scopes }
  return (
    <ActionButton<IssuedCredential>
      label={translate('issueKey')}
      title={`${translate('issueKey')}: ${store.name}`}
      look="primary"
      onOpen={() => {
        setMode('sandbox')
        setLabel('')
        setScopes(DEFAULT_SCOPES)
      }}
      onDone={onDone}
      run={() => request(`stores/${store.id}/credentials`, { method: 'POST', body })}
    >
      <ModeSelect value={mode} onChange={setMode} />
      <Field
        label={translate('label')}
        help={translate('labelHelp')}
        name="label"
        value={label}
        onChange={setLabel}
        isRequired
      />
      <KeyScopes scopes={scopes} onChange={setScopes} />
    </ActionButton>
  )
}

type RevokeKeyProps = { apiKey: Credential; keys: readonly Credential[]; onDone: () => void }

function RevokeKey({ apiKey, keys, onDone }: RevokeKeyProps) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const nameWithMode = useNameWithMode()
  const { api_key: id, mode } = apiKey
  const activeCount = keys.filter((key) => key.mode === mode && keyState(key) === 'active').length
  return (
    <ActionButton
      label={translate('revoke')}
      subject={nameWithMode(apiKey)}
      isDanger
      onDone={onDone}
      run={() => request(`credentials/${id}`, { method: 'DELETE' })}
    >
      <p>{translate('revokeNote')}</p>
      <Facts
        facts={[
          [translate('apiKey'), <code key="key">{id}</code>],
          [translate('keysNow'), String(activeCount)],
          [translate('keysAfter'), String(activeCount - 1)],
        ]}
      />
    </ActionButton>
  )
}
