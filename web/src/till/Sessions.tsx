import { timeText } from '@florin/shared/time.js'
import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Problem } from '../kit/request.ts'
import { useAsked } from '../kit/store/session.tsx'
import { parseTime } from '../kit/time.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

type List = {
  readonly sessions: readonly {
    readonly session_id: string
    readonly last_used_at: string
    readonly user_agent: string
    readonly current: boolean
  }[]
}

/** Where this person is signed in; a tablet that was left somewhere is signed out from here. */
export function Sessions() {
  const { say, locale } = useLanguage()
  const { ask, who } = useSession()
  const asked = useAsked<List>('sessions')
  const [problem, setProblem] = useState<Problem | null>(null)

  async function end(id: string): Promise<void> {
    const answer = await ask(`sessions/${id}`, { method: 'DELETE' })
    setProblem(answer.ok ? null : answer.problem)
    asked.again()
  }

  const place = { locale, timeZone: who.store.time_zone }
  const shown = problem ?? asked.problem
  return (
    <section className="sessions" aria-label={say('sessions')}>
      <h2>{say('sessions')}</h2>
      {shown && <ProblemNote problem={shown} />}
      <ul>
        {asked.data?.sessions.map((session) => (
          <li key={session.session_id} className="session">
            <div>
              <bdi>{deviceOf(session.user_agent) || say('unknownDevice')}</bdi>
              <p className="small soft">
                {session.current
                  ? say('thisDevice')
                  : say('lastUsed', { time: timeText(parseTime(session.last_used_at), place) })}
              </p>
            </div>
            {!session.current && (
              <Button look="quiet" onClick={() => void end(session.session_id)}>
                {say('endSession')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Which browser on what, as far as it says; enough to tell one's own devices apart. */
function deviceOf(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1]
  const system = /(iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux)/.exec(userAgent)?.[1]
  return [browser, system].filter(Boolean).join(', ')
}
