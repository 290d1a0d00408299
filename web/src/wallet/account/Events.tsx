import type { WalletEvents } from '@florin/contract/walletAccount.js'
import { useCallback, useEffect, useState } from 'react'
import { Disclosure } from '../../kit/Disclosure.tsx'
import { useTimeText } from '../../kit/display.tsx'
import { getEvents } from '../api.ts'
import { useLanguage } from '../language.ts'
import { useRecovery } from '../live.ts'
import { type LoadProblem, loadProblemOf } from '../refusals.ts'
import { deviceText } from './device.ts'

const KINDS = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'session_ended',
  'account_locked',
  'account_unlocked',
  'account_created',
  'pin_changed',
  'pin_reset',
  'wallet_activated',
  'setting_changed',
] as const

const isKnown = (kind: string): kind is (typeof KINDS)[number] =>
  (KINDS as readonly string[]).includes(kind)

/** The latest security events, so that the payer notices unauthorized sign-ins. */
export function Events({ changes }: { changes: number }) {
  const { translate } = useLanguage()
  const timeText = useTimeText()
  const [events, setEvents] = useState<WalletEvents['events']>([])
  const [loadProblem, setLoadProblem] = useState<LoadProblem | null>(null)
  const load = useCallback(async () => {
    const response = await getEvents()
    if (response.ok) setEvents(response.data.events)
    setLoadProblem(response.ok ? null : loadProblemOf(response.problem.status))
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the account is an event.
  useEffect(() => void load(), [load, changes])
  useRecovery(loadProblem !== null, () => void load())
  return (
    <Disclosure title={translate('recentEvents')}>
      {loadProblem && <p className="soft">{translate(loadProblem)}</p>}
      <ul className="account-list">
        {events.map(({ at, kind, is_own, address, device }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id of their own, and rows have no state.
          <li key={n}>
            <p className="strong">{isKnown(kind) ? translate(`event_${kind}`) : kind}</p>
            <p className="soft small">
              {timeText(at)}
              {is_own ? '' : ` · ${translate('byProvider')}`}
              {address !== '' && (
                <>
                  {' · '}
                  <bdi>{[deviceText(device), address].filter(Boolean).join(', ')}</bdi>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
