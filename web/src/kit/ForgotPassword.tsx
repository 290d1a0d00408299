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
  const { translate } = useStaffLanguage()
  const [isOpen, setOpen] = useState(false)
  if (!isMailEnabled) return <p className="small soft">{translate('forgotHelp')}</p>
  const close = () => setOpen(false)
  return (
    <>
      <Button look="link" isWide onClick={() => setOpen(true)}>
        {translate('forgotPassword')}
      </Button>
      <Dialog title={translate('forgotPassword')} isOpen={isOpen} onClose={close}>
        <RequestForm area={area} email={email} onClose={close} />
      </Dialog>
    </>
  )
}

function RequestForm({ area, email, onClose }: Props & { onClose: () => void }) {
  const { translate, locale } = useStaffLanguage()
  const [address, setAddress] = useState(email)
  const [isSent, setSent] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => request(`${area}/password/forgot`, { method: 'POST', body: { email: address, locale } }),
    () => setSent(true),
  )
  return (
    <Form onSubmit={start} problem={problem}>
      <div role="status">{isSent && <Notice tone="completed">{translate('linkSent')}</Notice>}</div>
      {!isSent && (
        <>
          <p>{translate('forgotNote')}</p>
          <Field
            label={translate('email')}
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
            {translate('sendLink')}
          </Button>
        </>
      )}
      <Button look="quiet" isWide onClick={onClose}>
        {isSent ? translate('close') : translate('cancel')}
      </Button>
    </Form>
  )
}
