import { type FormEvent, useState } from 'react'
import { Button, Field } from './controls.tsx'
import { Icon } from './display.tsx'
import { Page } from './Page.tsx'
import { ProblemNote, problemText } from './problems.tsx'
import { type Problem, request } from './request.ts'
import { useLanguage } from './staffLanguage.ts'

type SignInProps<Who> = {
  title: string
  /** Where one signs in. */
  path: string
  hasEnded: boolean
  enter: (who: Who) => void
}

export function SignIn<Who>({ title, path, hasEnded, enter }: SignInProps<Who>) {
  const language = useLanguage()
  const { say } = language
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const body = { email, password }
    const answer = await request<Who>(path, { method: 'POST', body })
    setBusy(false)
    if (answer.ok) enter(answer.data)
    else setProblem(answer.problem)
  }

  function problemWords({ status }: Problem): string {
    if (status === 400 || status === 401) return say('wrongPassword')
    return status === 403 ? say('locked') : problemText({ status, message: '' }, say)
  }

  return (
    <Page title={title} language={language} isSandbox={false}>
      <form className="card stack" onSubmit={(event) => void signIn(event)}>
        {hasEnded && (
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
          isRequired={true}
        />
        <Field
          label={say('password')}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="current-password"
          isRequired={true}
          problem={problem === null ? undefined : problemWords(problem)}
        />
        <Button type="submit" isWide isBusy={isBusy}>
          {say('signIn')}
        </Button>
        <p className="small soft">{say('signInHelp')}</p>
      </form>
    </Page>
  )
}

type UnreachableProps = { title: string; problem: Problem; again: () => void }

/** Before it is known whether somebody is signed in, and the service does not answer. */
export function Unreachable({ title, problem, again }: UnreachableProps) {
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
