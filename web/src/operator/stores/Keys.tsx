import { useState } from 'react'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Choice, Field } from '../../kit/controls.tsx'
import { Facts } from '../../kit/display.tsx'
import type { Mode } from '../../kit/store/payment.ts'
import { Act } from '../Act.tsx'
import { Badge } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import { type Secret, ShownOnce } from '../Shown.tsx'
import { TIME_ZONE, useAsked, useSession } from '../session.ts'
import type { Credential, Issued, Store } from '../types.ts'

/** The API keys of a store. A secret is shown once, when it is made. */
export function Keys({ store }: { store: Store }) {
  const { say } = useLanguage()
  const asked = useAsked<{ credentials: Credential[] }>(`stores/${store.id}/credentials`)
  const [secrets, setSecrets] = useState<readonly Secret[] | null>(null)
  function show({ api_key, api_secret, webhook_secret }: Issued): void {
    setSecrets([
      [say('apiKey'), api_key],
      [say('apiSecret'), api_secret],
      [say('webhookSecret'), webhook_secret],
    ])
    asked.again()
  }
  return (
    <>
      <div className="page-actions">
        <IssueKey store={store} onDone={show} />
      </div>
      <Loaded asked={asked}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty title={say('noKeys')}>
              <p className="soft">{say('noKeysHelp')}</p>
            </Empty>
          ) : (
            <Table
              label={say('store_keys')}
              rows={credentials}
              keyOf={({ api_key }) => api_key}
              columns={[
                {
                  title: say('apiKey'),
                  cell: ({ api_key, label }) => (
                    <div>
                      <code>{api_key}</code>
                      {label && <div className="small soft">{label}</div>}
                    </div>
                  ),
                },
                {
                  title: say('mode'),
                  cell: ({ mode }) => say(mode === 'live' ? 'live' : 'sandboxShort'),
                },
                {
                  title: say('state'),
                  cell: ({ revoked_at: at }) =>
                    at ? (
                      <Badge tone="quiet" word={say('revoked')} />
                    ) : (
                      <Badge tone="good" word={say('works')} />
                    ),
                },
                {
                  title: say('since'),
                  isExtra: true,
                  cell: ({ created_at: at }) => <When at={at} timeZone={TIME_ZONE} />,
                },
                {
                  title: say('acts'),
                  isEnd: true,
                  cell: (one) =>
                    one.revoked_at === null && (
                      <KeyActs
                        one={one}
                        credentials={credentials}
                        onRotate={show}
                        onRevoke={asked.again}
                      />
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <ShownOnce title={say('newKey')} secrets={secrets} onClose={() => setSecrets(null)} />
    </>
  )
}

function IssueKey({ store, onDone }: { store: Store; onDone: (issued: Issued) => void }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [mode, setMode] = useState<Mode>('sandbox')
  const [label, setLabel] = useState('')
  return (
    <Act<Issued>
      label={say('issueKey')}
      look="primary"
      confirm={say('issueKey')}
      onDone={onDone}
      run={() => ask(`stores/${store.id}/credentials`, { method: 'POST', body: { mode, label } })}
    >
      <Choice<Mode>
        label={say('mode')}
        value={mode}
        onChange={setMode}
        options={[
          ['sandbox', say('sandboxShort')],
          ['live', say('live')],
        ]}
      />
      <Field label={say('label')} help={say('labelHelp')} value={label} onChange={setLabel} />
    </Act>
  )
}

type ActsProps = {
  one: Credential
  credentials: readonly Credential[]
  onRotate: (issued: Issued) => void
  onRevoke: () => void
}

function KeyActs({ one, credentials, onRotate, onRevoke }: ActsProps) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const { api_key: key, mode } = one
  const working = credentials.filter((other) => other.mode === mode && !other.revoked_at).length
  return (
    <div className="row-acts">
      <Act<Issued>
        label={say('rotate')}
        confirm={say('rotate')}
        onDone={onRotate}
        run={() => ask(`credentials/${key}/rotate`, { method: 'POST' })}
      >
        <p>{say('rotateNote')}</p>
      </Act>
      <Act
        label={say('revoke')}
        confirm={say('revoke')}
        isDanger={true}
        onDone={onRevoke}
        run={() => ask(`credentials/${key}`, { method: 'DELETE' })}
      >
        <p>{say('revokeNote')}</p>
        <Facts
          facts={[
            [say('apiKey'), <code key="key">{key}</code>],
            [say('keysNow'), String(working)],
            [say('keysAfter'), String(working - 1)],
          ]}
        />
      </Act>
    </div>
  )
}
