import type { Keys as KeyList } from '@florin/contract/developers.js'
import type { Credential, IssuedCredential } from '@florin/contract/keys.js'
import { useState } from 'react'
import { ApiKeys, keyName } from '../../kit/console/ApiKeys.tsx'
import { ActionButton, OneTimeSecrets } from '../../kit/console/actions.tsx'
import { FIRST_SCOPES, KeyScopes } from '../../kit/console/KeyScopes.tsx'
import { When } from '../../kit/console/Table.tsx'
import { Field, Select } from '../../kit/controls.tsx'
import { useResource } from '../../kit/query.ts'
import type { SendRequest } from '../../kit/request.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { WebhookSecret } from './WebhookSecret.tsx'

const OVERLAPS = ['0', '3600', '86400', '604800'] as const

/** The store's API keys in one mode, and its webhook secret. */
export function Keys() {
  const { say } = useLanguage()
  const { account } = useSession()
  const { mode } = useDashboardRoute()
  const { request } = useSession()
  const resource = useResource<KeyList>(`${mode}/keys`)
  const [issued, setIssued] = useState<IssuedCredential | null>(null)
  const timeZone = account.store.time_zone
  function show(key: IssuedCredential): void {
    setIssued(key)
    resource.reload()
  }
  return (
    <>
      <div className="buttons">
        <NewKey request={request} onDone={show} />
      </div>
      <ApiKeys
        keys={{ ...resource, data: resource.data?.keys ?? null }}
        label={say('keys')}
        titles={{ key: say('keyLabel'), state: say('state'), actions: say('change') }}
        states={{
          active: say('keyActive'),
          revoked: say('keyRevoked'),
          expired: say('keyExpired'),
        }}
        notes={{
          expires: (time) => `${say('keyUntil')} ${time}`,
          oldSecret: (time) => say('oldSecretUntil', { time }),
        }}
        timeZone={timeZone}
        columns={[
          [
            say('lastUsed'),
            ({ last_used_at: at }) =>
              at === null ? say('never') : <When at={at} timeZone={timeZone} />,
            'extra',
          ],
        ]}
        actions={(key) => (
          <>
            <RotateKey apiKey={key} request={request} onDone={show} />
            <ActionButton
              label={say('revoke')}
              subject={keyName(key)}
              title={say('revokeAsk', { label: keyName(key) })}
              isDanger
              run={() => request(`${mode}/keys/${key.api_key}`, { method: 'DELETE' })}
              onDone={resource.reload}
            >
              <p>{say('revokeNote')}</p>
            </ActionButton>
          </>
        )}
      />
      <WebhookSecret />
      <OneTimeSecrets
        title={say('yourKey')}
        note={say('keyOnce')}
        secrets={
          issued && [
            [say('apiKey'), issued.api_key],
            [say('apiSecret'), issued.api_secret],
          ]
        }
        action={say('savedIt')}
        onClose={() => setIssued(null)}
      />
    </>
  )
}

type NewKeyProps = { request: SendRequest; onDone: (issued: IssuedCredential) => void }

function NewKey({ request, onDone }: NewKeyProps) {
  const { say } = useLanguage()
  const { mode } = useDashboardRoute()
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState(FIRST_SCOPES)
  const [until, setUntil] = useState('')
  return (
    <ActionButton<IssuedCredential>
      label={say('newKey')}
      look="primary"
      confirm={say('createKey')}
      onOpen={() => {
        setLabel('')
        setScopes(FIRST_SCOPES)
        setUntil('')
      }}
      run={() => {
        const body = { label, scopes, expires_at: until === '' ? null : `${until} 23:59:59` }
        return request(`${mode}/keys`, { method: 'POST', body })
      }}
      onDone={onDone}
    >
      <Field
        label={say('keyLabel')}
        help={say('keyLabelHelp')}
        name="label"
        value={label}
        onChange={setLabel}
        maxLength={255}
        isRequired
      />
      <KeyScopes scopes={scopes} onChange={setScopes} />
      <Field
        label={say('keyUntil')}
        help={say('keyUntilHelp')}
        type="date"
        name="expires_at"
        value={until}
        onChange={setUntil}
      />
    </ActionButton>
  )
}

function RotateKey({ apiKey, request, onDone }: NewKeyProps & { apiKey: Credential }) {
  const { say } = useLanguage()
  const { mode } = useDashboardRoute()
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('86400')
  const body = { overlap_seconds: Number(overlap) }
  return (
    <ActionButton<IssuedCredential>
      label={say('newSecret')}
      subject={keyName(apiKey)}
      title={say('newSecretAsk', { label: keyName(apiKey) })}
      onOpen={() => setOverlap('86400')}
      run={() => request(`${mode}/keys/${apiKey.api_key}/rotate`, { method: 'POST', body })}
      onDone={onDone}
    >
      <p>{say('newSecretNote')}</p>
      <Select
        label={say('overlap')}
        value={overlap}
        onChange={setOverlap}
        options={OVERLAPS.map((one) => [one, say(`overlap_${one}`)] as const)}
      />
    </ActionButton>
  )
}
