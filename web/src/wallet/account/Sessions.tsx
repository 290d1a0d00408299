import type { Wallet } from '@florin/contract/wallet.js'
import type { WalletSessions } from '@florin/contract/walletAccount.js'
import { useCallback, useEffect, useState } from 'react'
import { Button } from '../../kit/controls.tsx'
import { useTimeText } from '../../kit/display.tsx'
import { endSession, getSessions } from '../api.ts'
import { useLanguage } from '../language.ts'
import { deviceName } from './device.ts'
import { Section } from './Section.tsx'

type Session = WalletSessions['sessions'][number]
type Props = { me: Wallet; refresh: () => Promise<void> }

export function Sessions({ me, refresh }: Props) {
  const { say } = useLanguage()
  const timeText = useTimeText()
  const [sessions, setSessions] = useState<readonly Session[]>([])
  const [ending, setEnding] = useState<string | null>(null)

  const load = useCallback(async () => {
    const answer = await getSessions()
    if (answer.ok) setSessions(answer.data.sessions)
    else if (answer.problem.status === 401) await refresh()
  }, [refresh])
  useEffect(() => void load(), [load])

  async function end(id: string): Promise<void> {
    setEnding(id)
    await endSession(me.wallet_id, id)
    await load()
    setEnding(null)
  }

  return (
    <Section title={say('sessions')}>
      <ul className="account-list">
        {sessions.map(({ session_id: id, user_agent, address, last_used_at, current }) => {
          const device = deviceName(user_agent) ?? say('unknownDevice')
          return (
            <li key={id}>
              <p className="strong">
                <bdi>{device}</bdi>
                {current && <span className="soft"> · {say('thisDevice')}</span>}
              </p>
              <p className="soft small">
                <bdi>{address}</bdi> · {say('lastUsed', { time: timeText(last_used_at) })}
              </p>
              {!current && (
                <Button
                  look="quiet"
                  isBusy={ending === id}
                  aria-label={`${say('endSession')}: ${device}`}
                  onClick={() => void end(id)}
                >
                  {say('endSession')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
