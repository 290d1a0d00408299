import type { PasswordChosen, PasswordLink } from '@florin/contract/mail.js'
import { useCallback, useEffect, useState } from 'react'
import { useChecks } from './checks.ts'
import { Button, Field } from './controls.tsx'
import { Notice } from './display.tsx'
import { Form } from './Form.tsx'
import { useAction } from './form.ts'
import { useStaffLanguage } from './language.tsx'
import { Page } from './Page.tsx'
import { ProblemNote } from './problems.tsx'
import { type Problem, request } from './request.ts'

type Props = {
  area: string
  token: string
  /** Called with the address to sign in with; empty if the link is not valid. */
  onDone: (email: string) => void
}

/** Opened by the link of an invitation or of a password reset. */
export function ChoosePassword({ area, token, onDone }: Props) {
  const { say } = useStaffLanguage()
  const [link, setLink] = useState<PasswordLink | Problem | null>(null)
  const load = useCallback(async () => {
    const answer = await request<PasswordLink>(`${area}/password/link`, {
      method: 'POST',
      body: { token },
    })
    setLink(answer.ok ? answer.data : answer.problem)
  }, [area, token])
  useEffect(() => void load(), [load])
  if (link === null) return null
  if ('status' in link) {
    return (
      <Page title={say('choosePassword')} isSandbox={false}>
        <div className="card stack">
          {link.status === 410 ? (
            <Notice tone="failed" role="alert">
              {say('linkGone')}
            </Notice>
          ) : (
            <>
              <ProblemNote problem={link} />
              <Button isWide onClick={() => void load()}>
                {say('tryAgain')}
              </Button>
            </>
          )}
          <Button look="quiet" isWide onClick={() => onDone('')}>
            {say('toSignIn')}
          </Button>
        </div>
      </Page>
    )
  }
  return <PasswordForm area={area} token={token} link={link} onDone={onDone} />
}

function PasswordForm({ area, token, link, onDone }: Props & { link: PasswordLink }) {
  const { say } = useStaffLanguage()
  const { minLength } = useChecks()
  const [password, setPassword] = useState('')
  const { isBusy, problem, start } = useAction(
    () =>
      request<PasswordChosen>(`${area}/password/reset`, {
        method: 'POST',
        body: { token, new: password },
      }),
    ({ email }) => onDone(email),
  )
  return (
    <Page title={say('choosePassword')} isSandbox={false}>
      <Form className="card stack" onSubmit={start} problem={problem}>
        <p>{say('choosePasswordFor', { email: link.email })}</p>
        {/* For password managers, which store the password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={link.email} />
        <Field
          label={say('newPassword')}
          help={say('passwordRule')}
          name="new"
          value={password}
          onChange={setPassword}
          check={minLength(10)}
          type="password"
          autoComplete="new-password"
          isRequired
          autoFocus
        />
        {problem &&
          (problem.status === 410 ? (
            <Notice tone="failed" role="alert">
              {say('linkGone')}
            </Notice>
          ) : (
            <ProblemNote problem={problem} />
          ))}
        <Button type="submit" isWide isBusy={isBusy}>
          {say('savePassword')}
        </Button>
      </Form>
    </Page>
  )
}
