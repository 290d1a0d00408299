import { type FormEvent, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { problemText } from '../kit/problems.tsx'
import type { SendRequest } from '../kit/request.ts'
import { useSession } from '../kit/store/session.tsx'
import { useLanguage } from './language.ts'

const PASSWORD_NEEDED = 428

/** A `request` that asks for the password if the server demands it, and then repeats the request. */
export function useReauthentication() {
  const { request } = useSession()
  const [finish, setFinish] = useState<((isConfirmed: boolean) => void) | null>(null)
  const requestConfirmed: SendRequest = async (path, options) => {
    const first = await request<never>(path, options)
    if (first.ok || first.problem.status !== PASSWORD_NEEDED) return first
    const isConfirmed = await new Promise<boolean>((resolve) => setFinish(() => resolve))
    setFinish(null)
    return isConfirmed ? request(path, options) : first
  }
  return { requestConfirmed, passwordDialog: finish && <PasswordDialog onDone={finish} /> }
}

function PasswordDialog({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const { say } = useLanguage()
  const { request } = useSession()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answer = await request('session/confirm', { method: 'POST', body: { password } })
    setBusy(false)
    if (answer.ok) return onDone(true)
    const { status } = answer.problem
    if (status === 400) setProblem(say('passwordWrong'))
    else setProblem(status === 403 ? say('locked') : problemText(answer.problem, say))
  }

  return (
    <Dialog title={say('confirmPassword')} isOpen onClose={() => onDone(false)}>
      <form className="stack" onSubmit={(event) => void confirm(event)}>
        <p className="soft">{say('confirmPasswordNote')}</p>
        <Field
          label={say('password')}
          value={password}
          onChange={setPassword}
          problem={problem}
          type="password"
          autoComplete="current-password"
          isRequired
          autoFocus
        />
        <Button type="submit" isWide isBusy={isBusy}>
          {say('continue')}
        </Button>
        <Button look="quiet" isWide onClick={() => onDone(false)}>
          {say('cancel')}
        </Button>
      </form>
    </Dialog>
  )
}
