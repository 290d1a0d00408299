import type { StorePayment } from '@florin/contract/store.js'
import { clockText } from '@florin/shared/time.js'
import { CopyButton } from '../../kit/console/actions.tsx'
import { basePath } from '../../kit/request.ts'
import { PaymentRequestButtons } from '../../kit/store/PaymentRequest.tsx'
import { groupDigits } from '../../kit/store/payment.ts'
import { useSecondsLeft } from '../../kit/store/paymentStatus.ts'
import { Qr } from '../../kit/store/Qr.tsx'
import { useLanguage } from '../language.ts'

/** How the customer can pay: the code to scan, and the link to send. */
export function CodeCard({ payment, endsMs }: { payment: StorePayment; endsMs: number }) {
  const { translate } = useLanguage()
  const secondsLeft = useSecondsLeft(endsMs)
  const number = groupDigits(payment.qr_code)
  const link = `${location.origin}${basePath}/pay/${payment.payment_id}`
  return (
    <section className="card pay-card" aria-label={translate('payCode')}>
      <div className="pay-qr">
        <Qr code={payment.qr_code} label={translate('qrLabel', { number })} />
      </div>
      <div className="pay-how">
        <h2>{translate('payCode')}</h2>
        <p className="soft">{translate('payCodeNote')}</p>
        <p className="digits">
          <bdi dir="ltr">{number}</bdi>
        </p>
        <code className="code" dir="ltr">
          {link}
        </code>
        <div className="row">
          <div className="buttons">
            <CopyButton text={link} label={translate('copyLink')} />
            <PaymentRequestButtons payment={payment} />
          </div>
          <span className="small soft">
            {translate('timeLeft')}{' '}
            <span className="clock" role="timer" dir="ltr">
              {clockText(secondsLeft)}
            </span>
          </span>
        </div>
      </div>
    </section>
  )
}
