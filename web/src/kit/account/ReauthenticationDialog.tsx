import { useState } from 'react'
import { Button, Field } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { Form } from '../Form.tsx'
import { useAction } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { problemText } from '../problems.tsx'
import type { Problem } from '../request.ts'
import { useAccount } from './context.ts'
import { hasPasskeySupport, NO_PASSKEY, sendPasskey } from './passkey.ts'

const PATH = 'session/confirm'

/** Asks for a passkey, a code or the password before a sensitive action. */
export function ReauthenticationDialog({ onDone }: { onDone: (isConfirmed: boolean) => void }) {
  const { translate } = useStaffLanguage()
  const { state, request } = useAccount()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const paths = { optionsPath: `${PATH}/options`, path: PATH }
  const confirmWithPasskey = useAction(
    () => sendPasskey(request, paths),
    () => onDone(true),
  )
  const confirmWithSecret = useAction(
    () => request(PATH, { method: 'POST', body: code === '' ? { password } : { code } }),
    () => onDone(true),
  )

  function problemOf(refusal: Problem, word: 'passwordWrong' | 'wrongCode'): string {
    return refusal.status === 400 ? translate(word) : problemText(refusal, translate)
  }
  const { problem } = confirmWithSecret

  return (
    <Dialog title={translate('confirmIdentity')} isOpen onClose={() => onDone(false)}>
      <Form onSubmit={confirmWithSecret.start}>
        <p className="soft">{translate('confirmIdentityNote')}</p>
        {state.has_passkey && hasPasskeySupport && (
          <Button
            isWide
            autoFocus
            isBusy={confirmWithPasskey.isBusy}
            onClick={() => void confirmWithPasskey.start()}
          >
            {translate('usePasskey')}
          </Button>
        )}
        {confirmWithPasskey.problem && (
          <p className="field-problem" role="alert">
            {confirmWithPasskey.problem.status === NO_PASSKEY ||
            confirmWithPasskey.problem.status === 400
              ? translate('passkeyFailed')
              : problemText(confirmWithPasskey.problem, translate)}
          </p>
        )}
        {state.has_totp && (
          <Field
            label={translate('code')}
            help={translate('appCodeHelp')}
            value={code}
            onChange={setCode}
            problem={problem && code !== '' ? problemOf(problem, 'wrongCode') : undefined}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
        <Field
          label={translate('password')}
          value={password}
          onChange={setPassword}
          isRequired={code === ''}
          problem={problem && code === '' ? problemOf(problem, 'passwordWrong') : undefined}
          type="password"
          autoComplete="current-password"
          autoFocus={!state.has_passkey}
        />
        <Button
          type="submit"
          isWide
          look={state.has_passkey ? 'quiet' : 'primary'}
          isBusy={confirmWithSecret.isBusy}
        >
          {translate('continue')}
        </Button>
        <Button look="quiet" isWide onClick={() => onDone(false)}>
          {translate('cancel')}
        </Button>
      </Form>
    </Dialog>
  )
}
