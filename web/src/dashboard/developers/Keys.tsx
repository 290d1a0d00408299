import type { Keys as KeyList } from '@florin/contract/developers.js'
import type { Credential, IssuedCredential } from '@florin/contract/keys.js'
import { useState } from 'react'
import { ApiKeys, keyName, oldSecretUntil } from '../../kit/console/ApiKeys.tsx'
import { ActionButton, OneTimeSecrets } from '../../kit/console/actions.tsx'
import { DEFAULT_SCOPES, KeyScopes } from '../../kit/console/KeyScopes.tsx'
import { RelativeTime } from '../../kit/console/Table.tsx'
import { Field, Select } from '../../kit/controls.tsx'
import { Notice, useTimeText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { dayEdge } from '../payments/filters.ts'
import { useDashboardRoute } from '../route.ts'
import { WebhookSecret } from './WebhookSecret.tsx'

const OVERLAP_SECONDS = ['0', '3600', '86400', '604800'] as const

/** The store's API keys in one mode, and its webhook secret. */
export function Keys() {
  const { translate } = useLanguage()
  const { account, request } = useSession()
  const { mode } = useDashboardRoute()
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
        <NewKey onDone={show} />
      </div>
      <ApiKeys
        keys={{ ...resource, data: resource.data?.keys ?? null }}
        label={translate('keys')}
        titles={{
          key: translate('keyLabel'),
          state: translate('state'),
          actions: translate('change'),
        }}
        states={{
          active: translate('keyActive'),
          revoked: translate('keyRevoked'),
          expired: translate('keyExpired'),
        }}
        timeZone={timeZone}
        columns={[
          [
            translate('lastUsed'),
            ({ last_used_at: at }) =>
              at === null ? translate('never') : <RelativeTime at={at} timeZone={timeZone} />,
            'extra',
          ],
        ]}
        actions={(key) => (
          <>
            <RotateKey apiKey={key} onDone={show} />
            <ActionButton
              label={translate('revoke')}
              subject={keyName(key)}
              title={translate('revokeAsk', { label: keyName(key) })}
              isDanger
              run={() => request(`${mode}/keys/${key.api_key}`, { method: 'DELETE' })}
              onDone={resource.reload}
            >
              <p>{translate('revokeNote')}</p>
            </ActionButton>
          </>
        )}
      />
      <WebhookSecret />
      <OneTimeSecrets
        title={translate('yourKey')}
        note={translate('keyOnce')}
        secrets={
          issued && [
            [translate('apiKey'), issued.api_key],
            [translate('apiSecret'), issued.api_secret],
          ]
        }
        closeLabel={translate('savedIt')}
        onClose={() => setIssued(null)}
      />
    </>
  )
}

type KeyProps = { onDone: (issued: IssuedCredential) => void }

function NewKey({ onDone }: KeyProps) {
  const { translate } = useLanguage()
  const { account, request } = useSession()
  const { mode } = useDashboardRoute()
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState(DEFAULT_SCOPES)
  const [until, setUntil] = useState('')
  return (
    <ActionButton<IssuedCredential>
      label={translate('newKey')}
      look="primary"
      confirmLabel={translate('createKey')}
      onOpen={() => {
        setLabel('')
        setScopes(DEFAULT_SCOPES)
        setUntil('')
      }}
      run={() => {
        const expiresAt = dayEdge(until || null, account.store.time_zone, 'end')
        const body = { label: label.trim(), scopes, expires_at: expiresAt }
        return request(`${mode}/keys`, { method: 'POST', body })
      }}
      onDone={onDone}
    >
      <Field
        label={translate('keyLabel')}
        help={translate('keyLabelHelp')}
        name="label"
        value={label}
        onChange={setLabel}
        maxLength={255}
        isRequired
      />
      <KeyScopes scopes={scopes} onChange={setScopes} />
      <Field
        label={translate('keyUntil')}
        help={translate('keyUntilHelp')}
        type="date"
        name="expires_at"
        value={until}
        onChange={setUntil}
      />
    </ActionButton>
  )
}

function RotateKey({ apiKey, onDone }: KeyProps & { apiKey: Credential }) {
  const { translate } = useLanguage()
  const { account, request } = useSession()
  const { mode } = useDashboardRoute()
  const timeText = useTimeText(account.store.time_zone)
  const oldUntil = oldSecretUntil(apiKey)
  const [overlap, setOverlap] = useState<(typeof OVERLAP_SECONDS)[number]>('86400')
  const body = { overlap_seconds: Number(overlap) }
  return (
    <ActionButton<IssuedCredential>
      label={translate('newSecret')}
      subject={keyName(apiKey)}
      title={translate('newSecretAsk', { label: keyName(apiKey) })}
      onOpen={() => setOverlap('86400')}
      noResponseText={translate('secretNoResponse')}
      run={() => request(`${mode}/keys/${apiKey.api_key}/rotate`, { method: 'POST', body })}
      onDone={onDone}
    >
      <p>{translate('newSecretNote')}</p>
      {oldUntil && (
        <Notice tone="expired">{translate('olderSecretEnds', { time: timeText(oldUntil) })}</Notice>
      )}
      <Select
        label={translate('overlap')}
        value={overlap}
        onChange={setOverlap}
        options={OVERLAP_SECONDS.map(
          (seconds) => [seconds, translate(`overlap_${seconds}`)] as const,
        )}
      />
    </ActionButton>
  )
}
