import './paid.css'
import { useEffect, useState } from 'react'
import { Icon } from '../kit/display.tsx'
import { useLanguage } from './language.ts'

type Props = { name: string; atMs: number }

/**
 * The payer's name and a clock for the cashier. In a screenshot the clock stands still, and an old receipt shows its age.
 * The clock is hidden from screen readers, which would read every second aloud; the receipt has the time of the payment.
 */
export default function PaidProof({ name, atMs }: Props) {
  const { translate, locale } = useLanguage()
  const now = useNow()
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - atMs) / 1000))
  const time = now.toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  })
  return (
    <div className="proof">
      <p className="proof-name">
        <Icon name="person" />
        <span className="visually-hidden">{translate('paidBy')} </span>
        <bdi>{name}</bdi>
      </p>
      <div className="proof-time" aria-hidden="true">
        <svg className="proof-dial" viewBox="0 0 40 40" aria-hidden="true">
          <circle cx="20" cy="20" r="18" />
          <path d="M20 20V6" transform={`rotate(${now.getSeconds() * 6} 20 20)`} />
        </svg>
        <span className="proof-clock" dir="ltr">
          {time}
        </span>
      </div>
      <p className="proof-age" aria-hidden="true">
        {ageText(ageSeconds, locale)}
      </p>
    </div>
  )
}

/** "now", "12 seconds ago", or minutes and hours. */
function ageText(seconds: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(`${locale}-u-nu-latn`, { numeric: 'auto' })
  if (seconds < 60) return format.format(-seconds, 'second')
  if (seconds < 3600) return format.format(-Math.floor(seconds / 60), 'minute')
  return format.format(-Math.floor(seconds / 3600), 'hour')
}

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 250)
    return () => clearInterval(timer)
  }, [])
  return now
}
