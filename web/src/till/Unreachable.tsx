import { Button } from '../design/Button.tsx'
import { Page } from '../design/Page.tsx'
import type { Problem } from './api.ts'
import { useLanguage } from './language.ts'
import { ProblemNote } from './Problem.tsx'

/** Before it is known whether somebody is signed in, and the service does not answer. */
export function Unreachable({ problem, again }: { problem: Problem; again: () => void }) {
  const language = useLanguage()
  return (
    <Page title={language.say('title')} language={language} isSandbox={false}>
      <div className="stack">
        <ProblemNote problem={problem} />
        <Button isWide onClick={again}>
          {language.say('tryAgain')}
        </Button>
      </div>
    </Page>
  )
}
