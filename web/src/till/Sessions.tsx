import type { PersonSessions } from '@florin/contract/store.js'
import { Button } from '../kit/controls.tsx'
import { useTimeText } from '../kit/display.tsx'
import { useAction } from '../kit/form.ts'
import { ProblemNote } from '../kit/problems.tsx'
import { useResource } from '../kit/query.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

/** The person's sessions on all devices, each with a button to end it. */
export function Sessions() {
  const { say } = useLanguage()
  const { request, account } = useSession()
  const resource = useResource<PersonSessions>('sessions')
  const timeText = useTimeText(account.store.time_zone)
  const { problem, start: endSession } = useAction(
    (id: string) => request(`sessions/${id}`, { method: 'DELETE' }).finally(resource.reload),
    () => {},
  )
  const shown = problem ?? resource.problem
  return (
    <section className="sessions" aria-label={say('sessions')}>
      <h2>{say('sessions')}</h2>
      {shown && <ProblemNote problem={shown} />}
      <ul>
        {resource.data?.sessions.map((session) => (
          <li key={session.session_id} className="session">
            <div>
              <bdi>{deviceOf(session.user_agent) || say('unknownDevice')}</bdi>
              <p className="small soft">
                {session.current
                  ? say('thisDevice')
                  : say('lastUsed', { time: timeText(session.last_used_at) })}
              </p>
            </div>
            {!session.current && (
              <Button look="quiet" onClick={() => void endSession(session.session_id)}>
                {say('endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The browser and the operating system, to tell devices apart. */
function deviceOf(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1]
  const system = /(iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux)/.exec(userAgent)?.[1]
  return [browser, system].filter(Boolean).join(', ')
}
