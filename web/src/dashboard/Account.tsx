import { useState } from 'react'
import { basePath } from '../app/mount.tsx'
import type { Problem } from '../app/request.ts'
import { Button } from '../design/Button.tsx'
import { Dialog } from '../design/Dialog.tsx'
import { Facts } from '../design/Facts.tsx'
import { Icon } from '../design/Icon.tsx'
import { LanguageChoice } from '../design/LanguageChoice.tsx'
import { ProblemNote } from '../people/Problem.tsx'
import { useSession } from '../people/session.tsx'
import { useLanguage } from './language.ts'

/** Who is signed in, the language, and the way out. */
export function Account() {
  const language = useLanguage()
  const { say } = language
  const { who, signOut } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const { person, store } = who
  return (
    <>
      <button
        type="button"
        className="tool"
        aria-label={say('account')}
        onClick={() => setOpen(true)}
      >
        <Icon name="person" />
      </button>
      <Dialog title={say('account')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Facts
          facts={[
            [say('name'), person.name],
            [say('email'), <bdi key="email">{person.email}</bdi>],
            [say('role'), say(person.role)],
            [say('store'), store.name],
          ]}
        />
        <LanguageChoice label={say('language')} {...language} />
        {problem && <ProblemNote problem={problem} />}
        <div className="stack">
          {who.may.includes('create') && (
            <a className="button button-quiet button-wide" href={`${basePath}/till`}>
              {say('openTill')}
            </a>
          )}
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
