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
  /** What the last response is about. The fields may have been edited since. */
  const [sent, setSent] = useState<'password' | 'code'>('password')
  const paths = { optionsPath: `${PATH}/options`, path: PATH }
  const confirmWithPasskey = useAction(
    () => sendPasskey(request, paths),
    () => onDone(true),
  )
  const confirmWithSecret = useAction(
    async () => {
      const body = code === '' ? { password } : { code }
      const response = await request(PATH, { method: 'POST', body })
      setSent(code === '' ? 'password' : 'code')
      return response
    },
    () => onDone(true),
  )

  function problemOf(refusal: Problem, word: 'passwordWrong' | 'wrongCode'): string {
    return refusal.status === 400 ? translate(word) : problemText(refusal, translate)
  }
  const { problem } = confirmWithSecret
  const canUsePasskey = state.has_passkey && hasPasskeySupport

  return (
    <Dialog title={translate('confirmIdentity')} isOpen onClose={() => onDone(false)}>
      <Form onSubmit={confirmWithSecret.start}>
        <p className="soft">{translate('confirmIdentityNote')}</p>
        {canUsePasskey && (
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
            problem={problem && sent === 'code' ? problemOf(problem, 'wrongCode') : undefined}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        )}
        <Field
          label={translate('password')}
          value={password}
          onChange={setPassword}
          isRequired={code === ''}
          problem={problem && sent === 'password' ? problemOf(problem, 'passwordWrong') : undefined}
          type="password"
          autoComplete="current-password"
          autoFocus={!canUsePasskey}
        />
        <Button
          type="submit"
          isWide
          look={canUsePasskey ? 'quiet' : 'primary'}
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
