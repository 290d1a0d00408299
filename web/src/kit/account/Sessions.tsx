import type { PersonSessions } from '@florin/contract/people.js'
import { Button } from '../controls.tsx'
import { useTimeText } from '../display.tsx'
import { useAction } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote } from '../problems.tsx'
import { useResource } from '../query.ts'
import { useAccount } from './context.ts'
import { useDeviceText } from './device.ts'
import { removeOwn } from './removeOwn.ts'

/** The sessions of the account on all devices, with buttons to end all but the current one. */
export function Sessions({ timeZone }: { timeZone?: string | undefined }) {
  const { translate } = useStaffLanguage()
  const { request } = useAccount()
  const resource = useResource<PersonSessions>('sessions')
  const timeText = useTimeText(timeZone)
  const deviceText = useDeviceText()
  const { problem, start: end } = useAction(
    (path: string) => removeOwn(request, path).finally(resource.reload),
    () => {},
  )
  const shownProblem = problem ?? resource.problem
  const sessions = resource.data?.sessions ?? []
  return (
    <section className="sessions" aria-label={translate('sessions')}>
      <h2>{translate('sessions')}</h2>
      {shownProblem && <ProblemNote problem={shownProblem} />}
      <ul>
        {sessions.map((session) => (
          <li key={session.session_id} className="session">
            <div>
              <span>{deviceText(session.user_agent) ?? translate('unknownDevice')}</span>
              <p className="small soft">
                <span>
                  {session.current
                    ? translate('thisDevice')
                    : translate('usedAt', { time: timeText(session.last_used_at) })}
                </span>
                {session.address && (
                  <>
                    {' · '}
                    <bdi>{session.address}</bdi>
                  </>
                )}
              </p>
            </div>
            {!session.current && (
              <Button look="quiet" onClick={() => void end(`sessions/${session.session_id}`)}>
                {translate('endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button look="quiet" onClick={() => void end('sessions')}>
          {translate('endOthers')}
        </Button>
      )}
    </section>
  )
}
