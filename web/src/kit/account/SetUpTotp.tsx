import type { AddedTotp, TotpSecret } from '@florin/contract/account.js'
import { useState } from 'react'
import { Button, Field } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { Notice } from '../display.tsx'
import { Form } from '../Form.tsx'
import { useAction } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote, problemText } from '../problems.tsx'
import type { ApiResponse } from '../request.ts'
import { useAccount } from './context.ts'
import { RemoveDialog } from './RemoveDialog.tsx'

type Props = { isActive: boolean; onChanged: (codes?: readonly string[] | null) => void }

/** Sets up an authenticator app with a QR code and the app's first code, or removes the app. */
export function SetUpTotp({ isActive, onChanged }: Props) {
  const { translate } = useStaffLanguage()
  const { request } = useAccount()
  const [secret, setSecret] = useState<TotpSecret | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  /** On a conflict, another tab has set up an app or ended this setup. Shows the current state. */
  async function reloadOnConflict<Data>(
    sent: Promise<ApiResponse<Data>>,
  ): Promise<ApiResponse<Data>> {
    const response = await sent
    if (!response.ok && response.problem.status === 409) onChanged()
    return response
  }
  const setUp = useAction(
    () => reloadOnConflict(request<TotpSecret>('account/totp', { method: 'POST' })),
    setSecret,
  )
  return (
    <div className="stack">
      <h2>{translate('authenticatorApp')}</h2>
      {isActive ? (
        <Notice tone="completed">{translate('totpActive')}</Notice>
      ) : (
        <p className="soft">{translate('totpNote')}</p>
      )}
      {setUp.problem && <ProblemNote problem={setUp.problem} />}
      {isActive ? (
        <Button look="quiet" onClick={() => setRemoving(true)}>
          {translate('remove')}
        </Button>
      ) : (
        <Button look="quiet" isBusy={setUp.isBusy} onClick={() => void setUp.start()}>
          {translate('setUpApp')}
        </Button>
      )}
      {secret && (
        <Activation
          secret={secret}
          activate={(code) =>
            reloadOnConflict(
              request<AddedTotp>('account/totp/activate', { method: 'POST', body: { code } }),
            )
          }
          onClose={() => setSecret(null)}
          onDone={(codes) => {
            setSecret(null)
            onChanged(codes)
          }}
        />
      )}
      {isRemoving && (
        <RemoveDialog
          subject={translate('authenticatorApp')}
          note={translate('removeAppNote')}
          path="account/totp"
          onDone={() => {
            setRemoving(false)
            onChanged()
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  )
}

type ActivationProps = {
  secret: TotpSecret
  activate: (code: string) => Promise<ApiResponse<AddedTotp>>
  onClose: () => void
  onDone: (codes: readonly string[] | null) => void
}

function Activation({ secret, activate, onClose, onDone }: ActivationProps) {
  const { translate } = useStaffLanguage()
  const [code, setCode] = useState('')
  const { isBusy, problem, start } = useAction(
    () => activate(code),
    (data) => onDone(data.recovery_codes),
  )
  // The image is in the response, and the content security policy allows `data:` images.
  const image = `data:image/svg+xml,${encodeURIComponent(secret.qr_svg)}`
  const codeProblem =
    problem && (problem.status === 400 ? translate('wrongCode') : problemText(problem, translate))
  return (
    <Dialog title={translate('authenticatorApp')} isOpen onClose={onClose}>
      <Form onSubmit={start}>
        <p>{translate('scanQr')}</p>
        <img className="totp-qr" src={image} alt={translate('qrImage')} width="220" height="220" />
        <p className="small soft">{translate('setupKey')}</p>
        <code className="code" dir="ltr">
          {secret.secret.replace(/.{4}(?=.)/g, '$& ')}
        </code>
        <Field
          label={translate('code')}
          value={code}
          onChange={setCode}
          problem={codeProblem ?? undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          isRequired
        />
        <Button type="submit" isWide isBusy={isBusy}>
          {translate('continue')}
        </Button>
        <Button look="quiet" isWide onClick={onClose}>
          {translate('cancel')}
        </Button>
      </Form>
    </Dialog>
  )
}
