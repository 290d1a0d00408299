import { type FormEvent, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { problemText } from '../kit/problems.tsx'
import type { Ask } from '../kit/resource.ts'
import { useSession } from '../kit/store/session.tsx'
import { useLanguage } from './language.ts'

const PASSWORD_NEEDED = 428

/** As the session's `ask`; where the server wants the password again, it is asked for and the call made anew. */
export function useSure() {
  const { ask } = useSession()
  const [answerTo, setAnswerTo] = useState<((isConfirmed: boolean) => void) | null>(null)
  const askSure: Ask = async (path, call) => {
    const first = await ask<never>(path, call)
    if (first.ok || first.problem.status !== PASSWORD_NEEDED) return first
    const isConfirmed = await new Promise<boolean>((resolve) => setAnswerTo(() => resolve))
    setAnswerTo(null)
    return isConfirmed ? ask(path, call) : first
  }
  return { askSure, passwordDialog: answerTo && <PasswordDialog done={answerTo} /> }
}

function PasswordDialog({ done }: { done: (isConfirmed: boolean) => void }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answer = await ask('session/confirm', { method: 'POST', body: { password } })
    setBusy(false)
    if (answer.ok) return done(true)
    const { status } = answer.problem
    if (status === 400) setProblem(say('passwordNotRight'))
    else setProblem(status === 403 ? say('locked') : problemText(answer.problem, say))
  }

  return (
    <Dialog title={say('passwordAgain')} isOpen onClose={() => done(false)}>
      <form className="stack" onSubmit={(event) => void confirm(event)}>
        <p className="soft">{say('passwordAgainNote')}</p>
        <Field
          label={say('password')}
          value={password}
          onChange={setPassword}
          problem={problem}
          type="password"
          autoComplete="current-password"
          isRequired={true}
          autoFocus
        />
        <Button type="submit" isWide isBusy={isBusy}>
          {say('goOn')}
        </Button>
        <Button look="quiet" isWide onClick={() => done(false)}>
          {say('cancel')}
        </Button>
      </form>
    </Dialog>
  )
}
