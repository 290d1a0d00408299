import type { AddedTotp, TotpSecret } from '@florin/contract/account.js'
import { useState } from 'react'
import { Button, Field } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { Notice } from '../display.tsx'
import { Form } from '../Form.tsx'
import { useAction } from '../form.ts'
import { useStaffLanguage } from '../language.tsx'
import { ProblemNote, problemText } from '../problems.tsx'
import { useAccount } from './context.ts'

type Props = { isActive: boolean; onChanged: (codes?: readonly string[] | null) => void }

/** Sets up an authenticator app with a QR code and its first code, or removes it. */
export function SetUpTotp({ isActive, onChanged }: Props) {
  const { say } = useStaffLanguage()
  const { request } = useAccount()
  const [secret, setSecret] = useState<TotpSecret | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const start = useAction(
    () => request<TotpSecret>('account/totp', { method: 'POST' }),
    (data) => setSecret(data),
  )
  const remove = useAction(
    () => request('account/totp', { method: 'DELETE' }),
    () => {
      setRemoving(false)
      onChanged()
    },
  )
  return (
    <div className="stack">
      <h2>{say('authenticatorApp')}</h2>
      {isActive ? (
        <Notice tone="completed">{say('totpActive')}</Notice>
      ) : (
        <p className="soft">{say('totpNote')}</p>
      )}
      {start.problem && <ProblemNote problem={start.problem} />}
      {isActive ? (
        <Button look="quiet" onClick={() => setRemoving(true)}>
          {say('remove')}
        </Button>
      ) : (
        <Button look="quiet" isBusy={start.isBusy} onClick={() => void start.start()}>
          {say('setUpApp')}
        </Button>
      )}
      {secret && (
        <Activation
          secret={secret}
          onClose={() => setSecret(null)}
          onDone={(codes) => {
            setSecret(null)
            onChanged(codes)
          }}
        />
      )}
      <Dialog
        title={`${say('remove')}: ${say('authenticatorApp')}`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
      >
        <p>{say('removeAppNote')}</p>
        {remove.problem && <ProblemNote problem={remove.problem} />}
        <Button look="danger" isWide isBusy={remove.isBusy} onClick={() => void remove.start()}>
          {say('remove')}
        </Button>
        <Button look="quiet" isWide onClick={() => setRemoving(false)}>
          {say('cancel')}
        </Button>
      </Dialog>
    </div>
  )
}

type ActivationProps = {
  secret: TotpSecret
  onClose: () => void
  onDone: (codes: readonly string[] | null) => void
}

function Activation({ secret, onClose, onDone }: ActivationProps) {
  const { say } = useStaffLanguage()
  const { request } = useAccount()
  const [code, setCode] = useState('')
  const { isBusy, problem, start } = useAction(
    () => request<AddedTotp>('account/totp/activate', { method: 'POST', body: { code } }),
    (data) => onDone(data.recovery_codes),
  )
  // The image is in the response, and the content security policy allows `data:` images.
  const image = `data:image/svg+xml,${encodeURIComponent(secret.qr_svg)}`
  const wrong = problem && (problem.status === 400 ? say('wrongCode') : problemText(problem, say))
  return (
    <Dialog title={say('authenticatorApp')} isOpen onClose={onClose}>
      <Form onSubmit={start}>
        <p>{say('scanQr')}</p>
        <img className="totp-qr" src={image} alt={say('qrImage')} width="220" height="220" />
        <p className="small soft">{say('setupKey')}</p>
        <code className="code" dir="ltr">
          {secret.secret.replace(/.{4}(?=.)/g, '$& ')}
        </code>
        <Field
          label={say('code')}
          value={code}
          onChange={setCode}
          problem={wrong ?? undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          isRequired
        />
        <Button type="submit" isWide isBusy={isBusy}>
          {say('continue')}
        </Button>
        <Button look="quiet" isWide onClick={onClose}>
          {say('cancel')}
        </Button>
      </Form>
    </Dialog>
  )
}
