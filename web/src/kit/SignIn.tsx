import type { REFUSALS } from '@florin/contract/refusals.js'
import { useEffect, useState } from 'react'
import { hasPasskeySupport, NO_PASSKEY, sendPasskey } from './account/passkey.ts'
import { Button, Field } from './controls.tsx'
import { Notice } from './display.tsx'
import { ForgotPassword } from './ForgotPassword.tsx'
import { Form } from './Form.tsx'
import { useAction, useFields } from './form.ts'
import { useStaffLanguage } from './language.tsx'
import { NeedsHttps } from './NeedsHttps.tsx'
import { Page } from './Page.tsx'
import { ProblemNote, problemText } from './problems.tsx'
import { type Problem, request } from './request.ts'

/** The message if the password is right but a code is needed. The type keeps it equal to the server's. */
const CODE_NEEDED: (typeof REFUSALS)['second_factor_needed'][1] =
  'Enter the code from your authenticator app, or use a passkey'
const WRONG_CODE: (typeof REFUSALS)['wrong_code'][1] = 'Wrong code, or it was used before'

type SignInProps<Account> = {
  title: string
  /** The path that creates a session. */
  path: string
  hasExpired: boolean
  /** The address whose password the user has just chosen with a link; null otherwise. */
  chosenFor: string | null
  onSignedIn: (account: Account) => void
}

export function SignIn<Account>(props: SignInProps<Account>) {
  const { title, path, hasExpired, chosenFor, onSignedIn } = props
  const { translate, locale } = useStaffLanguage()
  const { fields, field } = useFields({ email: chosenFor ?? '', password: '', code: '' })
  const [emailWithCode, setEmailWithCode] = useState<string | null>(null)
  // The next person at a shared till may not need a code.
  const needsCode = emailWithCode === fields.email
  const { isBusy, problem, start } = useAction(async () => {
    const { code, ...withoutCode } = fields
    const body = { ...(needsCode ? fields : withoutCode), locale }
    const response = await request<Account>(path, { method: 'POST', body })
    if (!response.ok && response.problem.message === CODE_NEEDED) setEmailWithCode(fields.email)
    return response
  }, onSignedIn)
  const signInWithPasskey = useAction(
    () =>
      sendPasskey<Account>(request, {
        optionsPath: `${path}/passkey/options`,
        path: `${path}/passkey`,
      }),
    onSignedIn,
  )

  function passwordProblem(refusal: Problem): string | undefined {
    const { status, message } = refusal
    if (message === CODE_NEEDED || message === WRONG_CODE) return undefined
    if (status === 400 || status === 401) return translate('wrongPassword')
    return problemText(refusal, translate)
  }

  return (
    <Page title={title} isSandbox={false}>
      <Form className="card stack" onSubmit={start}>
        <NeedsHttps />
        {hasExpired && (
          <Notice tone="pending" role="alert">
            {translate('sessionEnded')}
          </Notice>
        )}
        {chosenFor && (
          <Notice tone="completed" role="alert">
            {translate('passwordChosen')}
          </Notice>
        )}
        <Field
          label={translate('email')}
          {...field('email')}
          type="email"
          autoComplete="username"
          isRequired
        />
        <Field
          label={translate('password')}
          {...field('password')}
          type="password"
          autoComplete="current-password"
          isRequired
          problem={problem ? passwordProblem(problem) : undefined}
        />
        {needsCode && (
          <Field
            label={translate('code')}
            help={translate(hasPasskeySupport ? 'codeOrPasskeyHelp' : 'codeHelp')}
            {...field('code')}
            autoComplete="one-time-code"
            isRequired
            autoFocus
            problem={problem?.message === WRONG_CODE ? translate('wrongCode') : undefined}
          />
        )}
        <Button type="submit" isWide isBusy={isBusy}>
          {translate('signIn')}
        </Button>
        {hasPasskeySupport && (
          <Button
            look="quiet"
            isWide
            isBusy={signInWithPasskey.isBusy}
            onClick={() => void signInWithPasskey.start()}
          >
            {translate('signInPasskey')}
          </Button>
        )}
        {signInWithPasskey.problem && (
          <Notice tone="failed" role="alert">
            {signInWithPasskey.problem.status === NO_PASSKEY ||
            signInWithPasskey.problem.status === 401
              ? translate('passkeyFailed')
              : problemText(signInWithPasskey.problem, translate)}
          </Notice>
        )}
        <ForgotPassword area={path.split('/')[0]!} email={fields.email} />
        <p className="small soft">{translate('signInHelp')}</p>
      </Form>
    </Page>
  )
}

const RETRY_MS = 3_000

type UnreachableProps = { title: string; problem: Problem; retry: () => void }

/** Shown if the session, or the setup state of the service, can't be loaded. Retries until it can. */
export function Unreachable({ title, problem, retry }: UnreachableProps) {
  const { translate } = useStaffLanguage()
  useEffect(() => {
    const timer = setInterval(retry, RETRY_MS)
    return () => clearInterval(timer)
  }, [retry])
  return (
    <Page title={title} isSandbox={false}>
      <div className="stack">
        <ProblemNote problem={problem} />
        <Button isWide onClick={retry}>
          {translate('tryAgain')}
        </Button>
      </div>
    </Page>
  )
}
