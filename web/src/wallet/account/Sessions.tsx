import type { Wallet } from '@florin/contract/wallet.js'
import type { WalletSessions } from '@florin/contract/walletAccount.js'
import { useCallback, useEffect, useState } from 'react'
import { Button } from '../../kit/controls.tsx'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { useTimeText } from '../../kit/display.tsx'
import { endSession, getSessions } from '../api.ts'
import { useLanguage } from '../language.ts'
import { useRecovery } from '../live.ts'
import { type LoadProblem, loadProblemOf } from '../refusals.ts'
import { deviceText } from './device.ts'

type Session = WalletSessions['sessions'][number]
type Props = {
  me: Wallet
  refresh: () => Promise<void>
  /** Counts the changes of the account: a new PIN ends sessions. */
  changes: number
  onEnded: () => Promise<void>
}

export function Sessions({ me, refresh, changes, onEnded }: Props) {
  const { translate } = useLanguage()
  const timeText = useTimeText()
  const [sessions, setSessions] = useState<readonly Session[]>([])
  const [loadProblem, setLoadProblem] = useState<LoadProblem | null>(null)
  const [ending, setEnding] = useState<string | null>(null)

  const load = useCallback(async () => {
    const response = await getSessions()
    if (response.ok) setSessions(response.data.sessions)
    else if (response.problem.status === 401) await refresh()
    setLoadProblem(response.ok ? null : loadProblemOf(response.problem.status))
  }, [refresh])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change can end sessions.
  useEffect(() => void load(), [load, changes])
  useRecovery(loadProblem !== null, () => void load())

  async function end(id: string): Promise<void> {
    setEnding(id)
    await endSession(me.wallet_id, id)
    await onEnded()
    setEnding(null)
  }

  return (
    <Disclosure title={translate('sessions')}>
      {loadProblem && <p className="soft">{translate(loadProblem)}</p>}
      <ul className="account-list">
        {sessions.map(({ session_id: id, user_agent, address, last_used_at, current }) => {
          const device = deviceText(user_agent) ?? translate('unknownDevice')
          return (
            <li key={id}>
              <p className="strong">
                <bdi>{device}</bdi>
                {current && <span className="soft"> · {translate('thisDevice')}</span>}
              </p>
              <p className="soft small">
                <bdi>{address}</bdi> · {translate('lastUsed', { time: timeText(last_used_at) })}
              </p>
              {!current && (
                <Button
                  look="quiet"
                  isBusy={ending === id}
                  aria-label={`${translate('endSession')}: ${device}`}
                  onClick={() => void end(id)}
                >
                  {translate('endSession')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Disclosure>
  )
}
