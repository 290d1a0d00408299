import { timeText } from '@florin/shared/time.js'
import { useState } from 'react'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Button } from '../../kit/controls.tsx'
import { useAsked, useSession } from '../../kit/store/session.tsx'
import { parseTime } from '../../kit/time.ts'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { ShownOnce } from '../ShownOnce.tsx'
import { type Issued, type Key, nameOf, stateOf } from './keys.ts'
import { NewKey } from './NewKey.tsx'
import { RevokeKey } from './RevokeKey.tsx'
import { RotateKey } from './RotateKey.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'

type Doing = { readonly kind: 'new' } | { readonly kind: 'rotate' | 'revoke'; readonly key: Key }

export function Keys() {
  const { say } = useLanguage()
  const { mode } = useDashboardPlace()
  const asked = useAsked<{ readonly keys: readonly Key[] }>(`${mode}/keys`)
  const [doing, setDoing] = useState<Doing | null>(null)
  const [issued, setIssued] = useState<Issued | null>(null)
  const close = () => setDoing(null)
  const show = (made: Issued) => {
    setIssued(made)
    asked.again()
  }
  return (
    <>
      <div className="buttons">
        <Button onClick={() => setDoing({ kind: 'new' })}>{say('newKey')}</Button>
      </div>
      <Loaded asked={asked}>
        {({ keys }) =>
          keys.length === 0 ? (
            <Empty title={say('noKeys')}>
              <p className="soft">{say('noKeysHelp')}</p>
            </Empty>
          ) : (
            <KeyTable keys={keys} choose={setDoing} />
          )
        }
      </Loaded>
      <WebhookSecret />
      {doing?.kind === 'new' && <NewKey done={show} close={close} />}
      {doing?.kind === 'rotate' && <RotateKey apiKey={doing.key} done={show} close={close} />}
      {doing?.kind === 'revoke' && (
        <RevokeKey apiKey={doing.key} done={asked.again} close={close} />
      )}
      {issued && (
        <ShownOnce
          title={say('yourKey')}
          note={say('keyOnce')}
          texts={[
            [say('apiKey'), issued.api_key],
            [say('apiSecret'), issued.api_secret],
          ]}
          action={say('haveIt')}
          close={() => setIssued(null)}
        />
      )}
    </>
  )
}

const STATE_WORDS = { works: 'keyWorks', revoked: 'keyRevoked', ended: 'keyEnded' } as const

type Props = { keys: readonly Key[]; choose: (doing: Doing) => void }

function KeyTable({ keys, choose }: Props) {
  const { say, locale } = useLanguage()
  const { who } = useSession()
  const timeZone = who.store.time_zone
  const at = (time: string) => timeText(parseTime(time), { locale, timeZone })
  return (
    <div className="acts">
      <Table
        label={say('keys')}
        rows={keys}
        keyOf={(key) => key.api_key}
        columns={[
          {
            title: say('keyLabel'),
            cell: (key) => (
              <>
                <strong dir="auto">{nameOf(key)}</strong>
                {key.label && (
                  <div className="soft small">
                    <bdi>{key.api_key}</bdi>
                  </div>
                )}
              </>
            ),
          },
          {
            title: say('keyMay'),
            isExtra: true,
            cell: ({ scopes }) => scopes.map((scope) => say(`scope_${scope}`)).join(' · '),
          },
          {
            title: say('lastUsed'),
            isExtra: true,
            cell: ({ last_used_at }) =>
              last_used_at === null ? say('never') : <When at={last_used_at} timeZone={timeZone} />,
          },
          {
            title: say('state'),
            cell: (key) => {
              const state = stateOf(key)
              const until = state === 'works' ? key.previous_secret_until : null
              const isRotating = until !== null && parseTime(until) > new Date()
              return (
                <>
                  {say(STATE_WORDS[state])}
                  {isRotating && (
                    <div className="soft small">{say('oldSecretUntil', { time: at(until) })}</div>
                  )}
                  {state === 'works' && key.expires_at && (
                    <div className="soft small">
                      {say('keyUntil')} {at(key.expires_at)}
                    </div>
                  )}
                </>
              )
            },
          },
          {
            title: say('change'),
            isEnd: true,
            cell: (key) =>
              stateOf(key) === 'works' && (
                <div className="buttons buttons-end">
                  <Button
                    look="quiet"
                    aria-label={`${say('newSecret')}: ${nameOf(key)}`}
                    onClick={() => choose({ kind: 'rotate', key })}
                  >
                    {say('newSecret')}
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={`${say('revoke')}: ${nameOf(key)}`}
                    onClick={() => choose({ kind: 'revoke', key })}
                  >
                    {say('revoke')}
                  </Button>
                </div>
              ),
          },
        ]}
      />
    </div>
  )
}
