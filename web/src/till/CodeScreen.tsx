import { QR_MODULES, qrPath } from '@florin/server/core/qrSymbol.js'
import { clockText } from '@florin/shared/time.js'
import type { ReactNode } from 'react'
import { Money, StatusBadge } from '../kit/display.tsx'
import { useHeading } from '../kit/heading.ts'
import { SandboxRibbon } from '../kit/Page.tsx'
import { inGroups } from '../kit/store/payment.ts'
import { useSecondsLeft } from '../kit/store/paymentStatus.ts'
import { useLanguage } from './language.ts'

const LAST_SECONDS = 60

type Props = {
  amount: string
  currency: string
  code: string
  endsMs: number
  isSandbox: boolean
  store: string
  children?: ReactNode
}

/** The code fills the screen: for the cashier to turn around, and for the customer's own screen. */
export function CodeScreen({ amount, currency, code, endsMs, isSandbox, store, children }: Props) {
  const { say, locale } = useLanguage()
  const secondsLeft = useSecondsLeft(endsMs)
  const heading = useHeading(say('scan'))
  const number = inGroups(code)
  return (
    <div className="till code-screen">
      {isSandbox && <SandboxRibbon word={say('sandbox')} note={say('sandboxNote')} />}
      <main className="code-main">
        <div className="code-head">
          <p className="code-store">{store}</p>
          <h1 ref={heading} tabIndex={-1}>
            <Money amount={amount} currency={currency} locale={locale} isLarge />
          </h1>
        </div>
        <div className="code-card">
          {isSandbox && <p className="ribbon">{say('sandbox')}</p>}
          <Qr code={code} label={say('qrLabel', { number })} />
        </div>
        <div className="code-state">
          <p className="code-number" dir="ltr">
            {number}
          </p>
          <p className="code-time">
            <StatusBadge status="pending" word={say('pending')} />
            <span
              className={secondsLeft < LAST_SECONDS ? 'clock clock-last' : 'clock'}
              role="timer"
              aria-label={say('timeLeft')}
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

/** White in both themes, quiet zone included: a scanner needs the contrast that paper has. */
export function Qr({ code, label }: { code: string; label: string }) {
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${QR_MODULES} ${QR_MODULES}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={QR_MODULES} height={QR_MODULES} fill="#fff" />
      <path d={qrPath(code)} fill="#000" />
    </svg>
  )
}
