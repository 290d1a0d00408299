import { type FormEvent, useState } from 'react'
import { Button, Field } from './controls.tsx'
import { Icon } from './display.tsx'
import { useStaffLanguage } from './language.tsx'
import { Page } from './Page.tsx'
import { ProblemNote, problemText } from './problems.tsx'
import { type Problem, request } from './request.ts'

type SignInProps<Account> = {
  title: string
  /** The path that creates a session. */
  path: string
  hasExpired: boolean
  onSignedIn: (account: Account) => void
}

export function SignIn<Account>({ title, path, hasExpired, onSignedIn }: SignInProps<Account>) {
  const { say } = useStaffLanguage()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const answer = await request<Account>(path, { method: 'POST', body: { email, password } })
    setBusy(false)
    if (answer.ok) return onSignedIn(answer.data)
    const { status } = answer.problem
    if (status === 400 || status === 401) setProblem(say('wrongPassword'))
    else setProblem(status === 403 ? say('locked') : problemText(answer.problem, say))
  }

  return (
    <Page title={title} isSandbox={false}>
      <form className="card stack" onSubmit={(event) => void signIn(event)}>
        {hasExpired && (
          <p className="notice tone-pending" role="alert">
            <Icon name="warning" />
            {say('sessionEnded')}
          </p>
        )}
        <Field
          label={say('email')}
          value={email}
          onChange={setEmail}
          type="email"
          autoComplete="username"
          isRequired
        />
        <Field
          label={say('password')}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="current-password"
          isRequired
          problem={problem}
        />
        <Button type="submit" isWide isBusy={isBusy}>
          {say('signIn')}
        </Button>
        <p className="small soft">{say('signInHelp')}</p>
      </form>
    </Page>
  )
}

type UnreachableProps = { title: string; problem: Problem; retry: () => void }

/** Shown when the service does not respond before the session is known. */
export function Unreachable({ title, problem, retry }: UnreachableProps) {
  const { say } = useStaffLanguage()
  return (
    <Page title={title} isSandbox={false}>
      <div className="stack">
        <ProblemNote problem={problem} />
        <Button isWide onClick={retry}>
          {say('tryAgain')}
        </Button>
      </div>
    </Page>
  )
}
