import { Icon } from '../kit/display.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Problem } from '../kit/request.ts'

/** `conflict` says what a 409 means here; everything else is said as everywhere. */
export function Refused({
  problem,
  conflict,
}: {
  problem: Problem
  conflict?: string | undefined
}) {
  if (problem.status !== 409 || conflict === undefined) return <ProblemNote problem={problem} />
  return (
    <p className="notice tone-failed" role="alert">
      <Icon name="warning" />
      {conflict}
    </p>
  )
}
