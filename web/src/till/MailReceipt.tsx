import type { SentReceipt } from '@florin/contract/till.js'
import { useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Notice } from '../kit/display.tsx'
import { onSubmit, useAction } from '../kit/form.ts'
import { isMailEnabled } from '../kit/mail.ts'
import { ProblemNote } from '../kit/problems.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s.]+$/

/** Mails the receipt to an address that the customer tells. */
export function MailReceipt({ id }: { id: string }) {
  const { say } = useLanguage()
  const { request, mode, account } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [isTried, setTried] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const path = `${mode}/payments/${id}/receipt`
  const { isBusy, problem, start } = useAction(
    () => request<SentReceipt>(path, { method: 'POST', body: { email: email.trim() } }),
    () => {
      setSentTo(email.trim())
      setEmail('')
      setTried(false)
      setOpen(false)
    },
  )
  const isRefused = problem?.fields.includes('email') === true
  const isEmail = EMAIL.test(email.trim())
  function send(): void {
    setTried(true)
    if (isEmail) void start()
  }
  if (!isMailEnabled || !account.may.includes('create')) return null
  return (
    <>
      <div role="status">
        {sentTo !== null && (
          <Notice tone="completed">{say('receiptSent', { email: sentTo })}</Notice>
        )}
      </div>
      <Button look="quiet" isWide onClick={() => setOpen(true)}>
        {say('mailReceipt')}
      </Button>
      <Dialog title={say('mailReceipt')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form className="stack" noValidate onSubmit={onSubmit(send)}>
          <Field
            label={say('email')}
            type="email"
            autoComplete="off"
            autoFocus
            isRequired
            value={email}
            onChange={setEmail}
            problem={isRefused || (isTried && !isEmail) ? say('emailWrong') : undefined}
          />
          {problem && !isRefused && (
            <ProblemNote problem={problem} conflict={say('receiptLimit')} />
          )}
          <Button type="submit" isWide isBusy={isBusy}>
            {say('send')}
          </Button>
        </form>
      </Dialog>
    </>
  )
}
