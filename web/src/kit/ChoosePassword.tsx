import type { PasswordChosen, PasswordLink } from '@florin/contract/mail.js'
import { useCallback, useEffect, useRef, useState } from 'react'
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
  /** Called with the address to sign in with; empty if no password was chosen. */
  onDone: (email: string) => void
}

/** Opened by the link of an invitation or of a password reset. */
export function ChoosePassword({ area, token, onDone }: Props) {
  const { translate } = useStaffLanguage()
  const [link, setLink] = useState<PasswordLink | Problem | null>(null)
  const load = useCallback(async () => {
    const response = await request<PasswordLink>(`${area}/password/link`, {
      method: 'POST',
      body: { token },
    })
    setLink(response.ok ? response.data : response.problem)
  }, [area, token])
  useEffect(() => void load(), [load])
  if (link === null) return null
  if ('status' in link) {
    return (
      <Page title={translate('choosePassword')} isSandbox={false}>
        <div className="card stack">
          {link.status === 410 ? (
            <Notice tone="failed" role="alert">
              {translate('linkGone')}
            </Notice>
          ) : (
            <>
              <ProblemNote problem={link} />
              <Button isWide onClick={() => void load()}>
                {translate('tryAgain')}
              </Button>
            </>
          )}
          <Button look="quiet" isWide onClick={() => onDone('')}>
            {translate('toSignIn')}
          </Button>
        </div>
      </Page>
    )
  }
  return <NewPasswordForm area={area} token={token} link={link} onDone={onDone} />
}

function NewPasswordForm({ area, token, link, onDone }: Props & { link: PasswordLink }) {
  const { translate } = useStaffLanguage()
  const { minLength } = useChecks()
  const [password, setPassword] = useState('')
  /** The password of the last request that got no response. */
  const lostPassword = useRef<string | null>(null)
  const { isBusy, problem, start } = useAction(
    async () => {
      const response = await request<PasswordChosen>(`${area}/password/reset`, {
        method: 'POST',
        body: { token, new: password },
      })
      if (response.ok) return response
      const { status } = response.problem
      // The attempt whose response was lost has used the link.
      if (status === 410 && lostPassword.current === password) {
        return { ok: true, data: { email: link.email }, serverMs: 0 }
      }
      if (status === 0) lostPassword.current = password
      return response
    },
    ({ email }) => onDone(email),
  )
  return (
    <Page title={translate('choosePassword')} isSandbox={false}>
      <Form className="card stack" onSubmit={start} problem={problem}>
        <p>{translate('choosePasswordFor', { email: link.email })}</p>
        {/* For password managers, which store the password under this name. */}
        <input
          type="text"
          name="username"
          autoComplete="username"
          value={link.email}
          readOnly
          hidden
        />
        <Field
          label={translate('newPassword')}
          help={translate('passwordRule')}
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
              {translate('linkGone')}
            </Notice>
          ) : (
            <ProblemNote problem={problem} />
          ))}
        <Button type="submit" isWide isBusy={isBusy}>
          {translate('savePassword')}
        </Button>
      </Form>
    </Page>
  )
}
