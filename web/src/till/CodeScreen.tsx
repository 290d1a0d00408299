import { clockText } from '@florin/shared/time.js'
import type { ReactNode } from 'react'
import { Money, StatusBadge } from '../kit/display.tsx'
import { SandboxRibbon, useHeading } from '../kit/Page.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { groupDigits } from '../kit/store/payment.ts'
import { useSecondsLeft } from '../kit/store/paymentStatus.ts'
import { Qr } from '../kit/store/Qr.tsx'
import type { Shop } from './channel.ts'
import { useLanguage } from './language.ts'
import { useWakeLock } from './wakeLock.ts'

const LAST_SECONDS = 60

type Props = Shop & {
  /** The title of a payment request. A sale at the counter has none. */
  title?: string | undefined
  amount: string
  currency: string
  code: string
  endsMs: number
  children?: ReactNode
}

/** The QR code in full screen, on the till and on the customer screen. */
export function CodeScreen(props: Props) {
  const { title, amount, currency, code, endsMs, isSandbox, store, logo, children } = props
  const { translate } = useLanguage()
  const secondsLeft = useSecondsLeft(endsMs)
  useWakeLock()
  const heading = useHeading(title ?? translate('scan'))
  const number = groupDigits(code)
  return (
    <div className="till code-screen">
      {isSandbox && <SandboxRibbon />}
      <main className="code-main">
        <div className="code-head">
          <StoreLine store={store} logo={logo} />
          {title && <p className="code-title">{title}</p>}
          <h1 ref={heading} tabIndex={-1}>
            <Money amount={amount} currency={currency} isLarge />
          </h1>
        </div>
        <div className="code-space">
          <div className="code-card">
            {isSandbox && <p className="ribbon">{translate('sandbox')}</p>}
            <Qr code={code} label={translate('qrLabel', { number })} />
          </div>
        </div>
        <div className="code-state">
          <p className="digits" dir="ltr">
            {number}
          </p>
          <p className="row-center">
            <StatusBadge status="pending" />
            <span
              className={secondsLeft < LAST_SECONDS ? 'clock clock-last' : 'clock'}
              role="timer"
              aria-label={translate('timeLeft')}
            >
              {clockText(secondsLeft)}
            </span>
          </p>
        </div>
        {children && <div className="code-foot">{children}</div>}
      </main>
    </div>
  )
}

/** The logo and the name of the store, for the customer. */
export function StoreLine({ store, logo }: Pick<Shop, 'store' | 'logo'>) {
  return (
    <p className="code-store">
      <StoreLogo url={logo} size={40} />
      <bdi>{store}</bdi>
    </p>
  )
}
