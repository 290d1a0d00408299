import type { Credential, CredentialList, IssuedCredential } from '@florin/contract/keys.js'
import type { OperatorStore } from '@florin/contract/operator.js'
import type { Mode } from '@florin/server/core/ids.js'
import { useState } from 'react'
import { ApiKeys, keyName } from '../../kit/console/ApiKeys.tsx'
import { ActionButton } from '../../kit/console/actions.tsx'
import { FIRST_SCOPES, KeyScopes } from '../../kit/console/KeyScopes.tsx'
import { RowTime, When } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { Allowed } from '../Allowed.tsx'
import { ModeSelect, NewSecrets } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

/** The API keys of a store. */
export function Keys({ store }: { store: OperatorStore }) {
  const { say } = useLanguage()
  const { request } = useSession()
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
        label={say('store_keys')}
        titles={{ key: say('apiKey'), state: say('state'), actions: say('actions') }}
        states={{ active: say('keyActive'), revoked: say('revoked'), expired: say('expired') }}
        columns={[
          [say('mode'), ({ mode }) => say(modeWord(mode))],
          [
            say('lastUsed'),
            ({ last_used_at: at, created_at: since }) => (
              <div>
                {at === null ? say('never') : <When at={at} />}
                <div className="soft small">
                  {say('since')} <RowTime at={since} />
                </div>
              </div>
            ),
            'extra',
          ],
        ]}
        actions={(key) => (
          <Allowed permission="admin">
            <ActionButton<IssuedCredential>
              label={say('rotate')}
              subject={keyName(key)}
              onDone={show}
              run={() => request(`credentials/${key.api_key}/rotate`, { method: 'POST' })}
            >
              <p>{say('rotateNote')}</p>
            </ActionButton>
            <RevokeKey apiKey={key} keys={keys ?? []} onDone={resource.reload} />
          </Allowed>
        )}
      />
      <NewSecrets
        title={say('newKey')}
        secrets={
          issued && [
            [say('apiKey'), issued.api_key],
            [say('apiSecret'), issued.api_secret],
            [say('webhookSecret'), issued.webhook_secret],
          ]
        }
        onClose={() => setIssued(null)}
      />
    </>
  )
}

type IssueKeyProps = { store: OperatorStore; onDone: (issued: IssuedCredential) => void }

function IssueKey({ store, onDone }: IssueKeyProps) {
  const { say } = useLanguage()
  const { request } = useSession()
  const [mode, setMode] = useState<Mode>('sandbox')
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState(FIRST_SCOPES)
  const body = { mode, label, scopes }
  return (
    <ActionButton<IssuedCredential>
      label={say('issueKey')}
      title={`${say('issueKey')}: ${store.name}`}
      look="primary"
      onDone={onDone}
      run={() => request(`stores/${store.id}/credentials`, { method: 'POST', body })}
    >
      <ModeSelect value={mode} onChange={setMode} />
      <Field
        label={say('label')}
        help={say('labelHelp')}
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
  const { say } = useLanguage()
  const { request } = useSession()
  const { api_key: id, mode } = apiKey
  const active = keys.filter((other) => other.mode === mode && !other.revoked_at).length
  return (
    <ActionButton
      label={say('revoke')}
      subject={keyName(apiKey)}
      isDanger
      onDone={onDone}
      run={() => request(`credentials/${id}`, { method: 'DELETE' })}
    >
      <p>{say('revokeNote')}</p>
      <Facts
        facts={[
          [say('apiKey'), <code key="key">{id}</code>],
          [say('keysNow'), String(active)],
          [say('keysAfter'), String(active - 1)],
        ]}
      />
    </ActionButton>
  )
}
