import { Button, Field } from './controls.tsx'
import { Notice } from './display.tsx'
import { ForgotPassword } from './ForgotPassword.tsx'
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
  /** Set right after the password of this address was chosen by a link. */
  chosenFor: string | null
  onSignedIn: (account: Account) => void
}

export function SignIn<Account>(props: SignInProps<Account>) {
  const { title, path, hasExpired, chosenFor, onSignedIn } = props
  const { say, locale } = useStaffLanguage()
  const { fields, field } = useFields({ email: chosenFor ?? '', password: '' })
  const { isBusy, problem, start } = useAction(
    () => request<Account>(path, { method: 'POST', body: { ...fields, locale } }),
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
        {chosenFor && (
          <Notice tone="completed" role="alert">
            {say('passwordChosen')}
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
        <ForgotPassword area={path.split('/')[0]!} email={fields.email} />
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
