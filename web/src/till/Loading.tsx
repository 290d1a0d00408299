import { Button } from '../kit/controls.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Asked } from '../kit/resource.ts'
import { Frame } from './Frame.tsx'
import { useLanguage } from './language.ts'

/** Until there is something to show: nothing for the moment that it takes, or why it does not come. */
export function Loading({ asked, back }: { asked: Asked<unknown>; back: string }) {
  const { say } = useLanguage()
  const { problem, again } = asked
  if (problem === null) return null
  return (
    <Frame title={say('title')} back={back}>
      <div className="stack narrow">
        <ProblemNote problem={problem} />
        <Button isWide onClick={again}>
          {say('tryAgain')}
        </Button>
      </div>
    </Frame>
  )
}
