import type { Say } from '@florin/shared/say.js'
import { Icon } from './display.tsx'
import type { Problem } from './request.ts'
import { type PeopleWords, useLanguage } from './staffLanguage.ts'

/** What happened and what to do, for what can happen to any call. */
export function problemText({ status }: Problem, say: Say<PeopleWords>): string {
  if (status === 0) return say('offline')
  if (status === 401) return say('sessionEnded')
  if (status === 403) return say('forbidden')
  if (status === 404) return say('notFound')
  if (status === 409) return say('stillRunning')
  if (status === 429) return say('tooMany')
  return status >= 500 ? say('unavailable') : say('notAccepted')
}

/** The server knows more of what it did not accept, such as a limit; it says so in English. */
export function ProblemNote({ problem }: { problem: Problem }) {
  const { say } = useLanguage()
  return (
    <div className="notice tone-failed" role="alert">
      <Icon name="warning" />
      <div>
        <p>{problemText(problem, say)}</p>
        {(problem.status === 400 || problem.status === 422) && (
          <p className="small" lang="en" dir="ltr">
            {problem.message}
          </p>
        )}
      </div>
    </div>
  )
}
