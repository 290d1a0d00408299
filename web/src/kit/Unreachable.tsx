import { Button } from './Button.tsx'
import { Page } from './Page.tsx'
import { ProblemNote } from './problems.tsx'
import type { Problem } from './request.ts'
import { useLanguage } from './staffLanguage.ts'

type Props = { title: string; problem: Problem; again: () => void }

/** Before it is known whether somebody is signed in, and the service does not answer. */
export function Unreachable({ title, problem, again }: Props) {
  const language = useLanguage()
  return (
    <Page title={title} language={language} isSandbox={false}>
      <div className="stack">
        <ProblemNote problem={problem} />
        <Button isWide onClick={again}>
          {language.say('tryAgain')}
        </Button>
      </div>
    </Page>
  )
}
