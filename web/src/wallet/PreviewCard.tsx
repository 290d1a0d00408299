import { clockText } from '@florin/shared/time.js'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { amountText, Card, Icon, Money } from '../kit/display.tsx'
import { added, isZero, negative } from './amounts.ts'
import type { Preview } from './api.ts'
import { Gift, type GiftChoice, giftOf } from './Gift.tsx'
import { useLanguage } from './language.ts'
import { Order } from './Order.tsx'
import { goInstead } from './route.ts'

type Props = {
  preview: Preview
  busy: 'paying' | 'checking' | null
  note: 'gift' | null
  onPay: (gift: string) => void
  onExpired: () => void
}

export function PreviewCard({ preview, busy, note, onPay, onExpired }: Props) {
  const { say, locale } = useLanguage()
  const [choice, setChoice] = useState<GiftChoice>({ kind: 'none' })
  const { amount, currency, balance } = preview
  const gift = giftOf(choice, preview)
  const total = added(currency, amount, gift ?? '0.00')
  const after = added(currency, balance, negative(total))
  const isCovered = !after.startsWith('-')
  const secondsLeft = useSecondsLeft(preview, onExpired)
  const money = (text: string) => <Money amount={text} currency={currency} locale={locale} />

  return (
    <>
      <Card>
        <p className="asked">
          <Money amount={amount} currency={currency} locale={locale} isLarge />
        </p>
        <Order preview={preview} />
        <dl className="sums">
          {gift !== null && !isZero(gift) && (
            <>
              <dt>{say('kindGift')}</dt>
              <dd>{money(gift)}</dd>
              <dt>{say('total')}</dt>
              <dd className="strong">{money(total)}</dd>
            </>
          )}
          <dt>{say('balanceAfter')}</dt>
          <dd>{isCovered ? money(after) : '–'}</dd>
          <dt>{say('timeLeft')}</dt>
          <dd className={secondsLeft <= 60 ? 'clock clock-short' : 'clock'}>
            {clockText(secondsLeft)}
          </dd>
        </dl>
      </Card>
      <Gift
        preview={preview}
        choice={choice}
        isCovered={isCovered}
        isBusy={busy !== null}
        choose={setChoice}
      />
      <div className="pay-bar">
        <div aria-live="polite">
          {note !== null && busy === null && (
            <p className="field-problem">
              <Icon name="warning" />
              {say('giftTooMuch', { amount: left() })}
            </p>
          )}
          {busy === 'checking' && <p className="soft small">{say('checking')}</p>}
        </div>
        <Button
          isWide
          isBusy={busy !== null}
          isDisabled={gift === null || !isCovered}
          onClick={() => gift !== null && onPay(gift)}
        >
          {say('pay', { amount: amountText({ amount: total, currency, locale }) })}
        </Button>
        <Button isWide look="quiet" isDisabled={busy !== null} onClick={() => goInstead('')}>
          {say('cancel')}
        </Button>
      </div>
    </>
  )

  function left(): string {
    return amountText({ amount: added(currency, balance, negative(amount)), currency, locale })
  }
}

/** Counted from when the preview came, on a clock that does not jump. */
function useSecondsLeft({ seconds_left: seconds, qr_code }: Preview, onExpired: () => void) {
  const [left, setLeft] = useState(seconds)
  const expired = useRef(onExpired)
  expired.current = onExpired
  // biome-ignore lint/correctness/useExhaustiveDependencies: another preview starts another clock.
  useEffect(() => {
    const until = performance.now() + seconds * 1000
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((until - performance.now()) / 1000))
      setLeft(now)
      if (now > 0) return
      clearInterval(timer)
      expired.current()
    }, 500)
    return () => clearInterval(timer)
  }, [seconds, qr_code])
  return left
}
