import { type ReactNode, useState } from 'react'
import { Button } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { type Fact, Facts, Icon } from '../display.tsx'
import { LanguageChoice } from '../Page.tsx'
import { ProblemNote } from '../problems.tsx'
import type { Problem } from '../request.ts'
import { useLanguage } from './language.ts'

type Props = {
  title: string
  facts: readonly Fact[]
  signOut: () => Promise<Problem | null>
  /** What else one can do there, above the way out. */
  children?: ReactNode
}

/** Who is signed in, the language, and the way out. */
export function AccountMenu({ title, facts, signOut, children }: Props) {
  const language = useLanguage()
  const { say } = language
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  return (
    <>
      <button type="button" className="tool" aria-label={title} onClick={() => setOpen(true)}>
        <Icon name="person" />
      </button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Facts facts={facts} />
        <LanguageChoice label={say('language')} {...language} />
        {problem && <ProblemNote problem={problem} />}
        <div className="stack">
          {children}
          <Button isWide onClick={() => void signOut().then(setProblem)}>
            {say('signOut')}
          </Button>
          <Button look="quiet" isWide onClick={() => setOpen(false)}>
            {say('close')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
