import type { Say } from '@florin/shared/say.js'
import { Icon } from './display.tsx'
import { type StaffWords, useStaffLanguage } from './language.tsx'
import type { Problem } from './request.ts'

/** The text for a problem that any request can have: what happened, and what to do. */
export function problemText({ status }: Pick<Problem, 'status'>, say: Say<StaffWords>): string {
  if (status === 0) return say('offline')
  if (status === 401) return say('sessionEnded')
  if (status === 403) return say('forbidden')
  if (status === 404) return say('notFound')
  if (status === 409) return say('stillRunning')
  if (status === 429) return say('tooMany')
  return status >= 500 ? say('unavailable') : say('notAccepted')
}

type Props = {
  problem: Problem
  /** The text for status 409. */
  conflict?: string | undefined
}

export function ProblemNote({ problem, conflict }: Props) {
  const { say } = useStaffLanguage()
  const isConflict = problem.status === 409 && conflict !== undefined
  return (
    <div className="notice tone-failed" role="alert">
      <Icon name="warning" />
      <div>
        <p>{isConflict ? conflict : problemText(problem, say)}</p>
        {/* The server knows which field or limit was refused. It says so in English. */}
        {(problem.status === 400 || problem.status === 422) && (
          <p className="small" lang="en" dir="ltr">
            {problem.message}
          </p>
        )}
      </div>
    </div>
  )
}
