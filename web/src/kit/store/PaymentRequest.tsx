import type { StorePayment } from '@florin/contract/store.js'
import type { SentPaymentRequest } from '@florin/contract/till.js'
import { useState } from 'react'
import { ConfirmDialog } from '../console/actions.tsx'
import { Button, Field } from '../controls.tsx'
import { Icon, Notice, useMoneyText } from '../display.tsx'
import { useStaffLanguage } from '../language.tsx'
import { isMailEnabled } from '../mail.ts'
import { basePath } from '../request.ts'
import { grossOf } from './payment.ts'
import { ShareButton } from './Share.tsx'
import { useSession } from './session.tsx'

/** Sends a pending payment to the customer: by the share menu of the device, or by email. */
export function PaymentRequestButtons({ payment }: { payment: StorePayment }) {
  const { account } = useSession()
  const amount = useMoneyText()(grossOf(payment), payment.currency)
  const canMail = isMailEnabled && account.may.includes('create') && !payment.is_sandbox_transaction
  const url = `${location.origin}${basePath}/pay/${payment.payment_id}`
  return (
    <div className="buttons">
      <ShareButton title={`${account.store.name}: ${amount}`} url={url} />
      {canMail && <MailRequest payment={payment} />}
    </div>
  )
}

function MailRequest({ payment }: { payment: StorePayment }) {
  const { translate } = useStaffLanguage()
  const { request } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [email, setEmail] = useState(payment.client?.email ?? '')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const path = `live/payments/${payment.payment_id}/request`
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Icon name="mail" />
        {translate('mailRequest')}
      </Button>
      <div role="status">
        {sentTo !== null && (
          <Notice tone="completed">{translate('requestSent', { email: sentTo })}</Notice>
        )}
      </div>
      {isOpen && (
        <ConfirmDialog<SentPaymentRequest>
          title={translate('mailRequest')}
          confirmLabel={translate('sendRequest')}
          conflictText={translate('requestLimit')}
          run={() => request(path, { method: 'POST', body: { email: email.trim() } })}
          onDone={() => {
            setSentTo(email.trim())
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        >
          <p>{translate('mailRequestNote')}</p>
          <Field
            label={translate('email')}
            name="email"
            type="email"
            autoComplete="off"
            isRequired
            value={email}
            onChange={setEmail}
          />
        </ConfirmDialog>
      )}
    </>
  )
}
