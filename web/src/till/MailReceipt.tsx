import type { SentReceipt } from '@florin/contract/till.js'
import { useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Notice } from '../kit/display.tsx'
import { Form } from '../kit/Form.tsx'
import { useAction } from '../kit/form.ts'
import { isMailEnabled } from '../kit/mail.ts'
import { ProblemNote } from '../kit/problems.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

/** Emails the receipt to an address that the customer gives. */
export function MailReceipt({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { request, mode, account } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const path = `${mode}/payments/${id}/receipt`
  const { isBusy, problem, start } = useAction(
    () => request<SentReceipt>(path, { method: 'POST', body: { email: email.trim() } }),
    () => {
      setSentTo(email.trim())
      setEmail('')
      setOpen(false)
    },
  )
  if (!isMailEnabled || mode === 'sandbox' || !account.may.includes('create')) return null
  return (
    <>
      <div role="status">
        {sentTo !== null && (
          <Notice tone="completed">{translate('receiptSent', { email: sentTo })}</Notice>
        )}
      </div>
      <Button look="quiet" isWide onClick={() => setOpen(true)}>
        {translate('mailReceipt')}
      </Button>
      <Dialog title={translate('mailReceipt')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form onSubmit={start} problem={problem}>
          <Field
            label={translate('email')}
            name="email"
            type="email"
            autoComplete="off"
            autoFocus
            isRequired
            value={email}
            onChange={setEmail}
          />
          {problem && <ProblemNote problem={problem} conflictText={translate('receiptLimit')} />}
          <Button type="submit" isWide isBusy={isBusy}>
            {translate('send')}
          </Button>
          <Button look="quiet" isWide onClick={() => setOpen(false)}>
            {translate('close')}
          </Button>
        </Form>
      </Dialog>
    </>
  )
}
