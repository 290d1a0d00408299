import { Button, Field } from './controls.tsx'
import { Notice } from './display.tsx'
import { onSubmit, useAction, useFields } from './form.ts'
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
  const { fields, field } = useFields({ email: '', password: '' })
  const { isBusy, problem, start } = useAction(
    () => request<Account>(path, { method: 'POST', body: fields }),
    onSignedIn,
  )

  function passwordProblem({ status }: Problem): string {
    if (status === 400 || status === 401) return say('wrongPassword')
    return status === 403 ? say('locked') : problemText({ status }, say)
  }

  return (
    <Page title={title} isSandbox={false}>
      <form className="card stack" onSubmit={onSubmit(start)}>
        {hasExpired && (
          <Notice tone="pending" role="alert">
            {say('sessionEnded')}
          </Notice>
        )}
        <Field
          label={say('email')}
          {...field('email')}
          type="email"
          autoComplete="username"
          isRequired
        />
        <Field
          label={say('password')}
          {...field('password')}
          type="password"
          autoComplete="current-password"
          isRequired
          problem={problem ? passwordProblem(problem) : undefined}
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
