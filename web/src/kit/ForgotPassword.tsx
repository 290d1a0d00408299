import { useState } from 'react'
import { Button, Field } from './controls.tsx'
import { Dialog } from './Dialog.tsx'
import { Notice } from './display.tsx'
import { Form } from './Form.tsx'
import { useAction } from './form.ts'
import { useStaffLanguage } from './language.tsx'
import { isMailEnabled } from './mail.ts'
import { ProblemNote } from './problems.tsx'
import { request } from './request.ts'

type Props = {
  area: string
  /** The address that was typed for signing in. */
  email: string
}

/** Requests an email with a link to choose a new password. Without mail, shows how to get a new one. */
export function ForgotPassword({ area, email }: Props) {
  const { say } = useStaffLanguage()
  const [isOpen, setOpen] = useState(false)
  if (!isMailEnabled) return <p className="small soft">{say('forgotHelp')}</p>
  const close = () => setOpen(false)
  return (
    <>
      <Button look="link" isWide onClick={() => setOpen(true)}>
        {say('forgotPassword')}
      </Button>
      <Dialog title={say('forgotPassword')} isOpen={isOpen} onClose={close}>
        <RequestForm area={area} email={email} onClose={close} />
      </Dialog>
    </>
  )
}

function RequestForm({ area, email, onClose }: Props & { onClose: () => void }) {
  const { say, locale } = useStaffLanguage()
  const [address, setAddress] = useState(email)
  const [isSent, setSent] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => request(`${area}/password/forgot`, { method: 'POST', body: { email: address, locale } }),
    () => setSent(true),
  )
  return (
    <Form onSubmit={start} problem={problem}>
      <div role="status">{isSent && <Notice tone="completed">{say('linkSent')}</Notice>}</div>
      {!isSent && (
        <>
          <p>{say('forgotNote')}</p>
          <Field
            label={say('email')}
            name="email"
            value={address}
            onChange={setAddress}
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
          />
          {problem && <ProblemNote problem={problem} />}
          <Button type="submit" isWide isBusy={isBusy}>
            {say('sendLink')}
          </Button>
        </>
      )}
      <Button look="quiet" isWide onClick={onClose}>
        {isSent ? say('close') : say('cancel')}
      </Button>
    </Form>
  )
}
