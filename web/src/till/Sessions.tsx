import type { PersonSessions } from '@florin/contract/store.js'
import { timeText } from '@florin/shared/time.js'
import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import { useResource } from '../kit/query.ts'
import type { Problem } from '../kit/request.ts'
import { parseTime } from '../kit/time.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

/** The person's sessions on all devices, each with a button to end it. */
export function Sessions() {
  const { say, locale } = useLanguage()
  const { request, account } = useSession()
  const resource = useResource<PersonSessions>('sessions')
  const [problem, setProblem] = useState<Problem | null>(null)

  async function endSession(id: string): Promise<void> {
    const answer = await request(`sessions/${id}`, { method: 'DELETE' })
    setProblem(answer.ok ? null : answer.problem)
    resource.reload()
  }

  const timeOptions = { locale, timeZone: account.store.time_zone }
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
                  : say('lastUsed', {
                      time: timeText(parseTime(session.last_used_at), timeOptions),
                    })}
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
