import { useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { onSubmit, useAction } from '../kit/form.ts'
import { problemText } from '../kit/problems.tsx'
import type { Problem, SendRequest } from '../kit/request.ts'
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
  const { isBusy, problem, start } = useAction(
    () => request('session/confirm', { method: 'POST', body: { password } }),
    () => onDone(true),
  )

  function passwordProblem({ status }: Problem): string {
    if (status === 400) return say('passwordWrong')
    return status === 403 ? say('locked') : problemText({ status }, say)
  }

  return (
    <Dialog title={say('confirmPassword')} isOpen onClose={() => onDone(false)}>
      <form className="stack" onSubmit={onSubmit(start)}>
        <p className="soft">{say('confirmPasswordNote')}</p>
        <Field
          label={say('password')}
          value={password}
          onChange={setPassword}
          problem={problem ? passwordProblem(problem) : undefined}
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
