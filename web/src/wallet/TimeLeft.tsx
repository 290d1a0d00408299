import type { PaymentPreview } from '@florin/contract/wallet.js'
import { clockText } from '@florin/shared/time.js'
import { useEffect, useRef, useState } from 'react'
import { useLanguage } from './language.ts'

type Props = { preview: PaymentPreview; onExpired: () => void }

/** The time until a pending payment expires. */
export function TimeLeft({ preview, onExpired }: Props) {
  const { translate } = useLanguage()
  const secondsLeft = useSecondsLeft(preview, onExpired)
  return (
    <>
      <dt>{translate('timeLeft')}</dt>
      <dd className={secondsLeft <= 60 ? 'clock clock-short' : 'clock'}>
        {clockText(secondsLeft)}
      </dd>
    </>
  )
}

/** Counts down from the arrival of the preview. Not on the monotonic clock, which stands still while a phone sleeps. */
function useSecondsLeft({ seconds_left: seconds, qr_code }: PaymentPreview, onExpired: () => void) {
  const [secondsLeft, setSecondsLeft] = useState(seconds)
  const onEnd = useRef(onExpired)
  onEnd.current = onExpired
  // biome-ignore lint/correctness/useExhaustiveDependencies: another preview restarts the countdown.
  useEffect(() => {
    const endMs = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((endMs - Date.now()) / 1000))
      setSecondsLeft(left)
      if (left > 0) return
      clearInterval(timer)
      onEnd.current()
    }, 500)
    return () => clearInterval(timer)
  }, [seconds, qr_code])
  return secondsLeft
}
