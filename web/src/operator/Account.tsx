import { useState } from 'react'
import type { Problem } from '../app/request.ts'
import { Button } from '../design/Button.tsx'
import { Dialog } from '../design/Dialog.tsx'
import { Facts } from '../design/Facts.tsx'
import { Field } from '../design/Field.tsx'
import { Icon } from '../design/Icon.tsx'
import { LanguageChoice } from '../design/LanguageChoice.tsx'
import { ProblemNote } from '../people/Problem.tsx'
import { Act } from './Act.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.ts'

/** Who is signed in, the language, the own password, and the way out. */
export function Account() {
  const language = useLanguage()
  const { say } = language
  const { who, signOut } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
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
            [say('name'), who.operator.name],
            [say('email'), <bdi key="email">{who.operator.email}</bdi>],
          ]}
        />
        <LanguageChoice label={say('language')} {...language} />
        {problem && <ProblemNote problem={problem} />}
        <div className="stack">
          <ChangePassword />
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

function ChangePassword() {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  return (
    <Act
      label={say('changePassword')}
      confirm={say('changePassword')}
      run={() => ask('password', { method: 'POST', body: { current, new: next } })}
      onDone={() => {
        setCurrent('')
        setNext('')
      }}
    >
      <Field
        {...{ label: say('currentPassword'), value: current, onChange: setCurrent }}
        {...{ type: 'password', autoComplete: 'current-password' }}
      />
      <Field
        {...{ label: say('newPassword'), help: say('passwordRule'), value: next }}
        {...{ onChange: setNext, type: 'password', autoComplete: 'new-password' }}
      />
      <p className="small soft">{say('otherSessionsEnd')}</p>
    </Act>
  )
}
