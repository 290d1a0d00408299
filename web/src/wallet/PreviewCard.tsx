import type { PaymentPreview } from '@florin/contract/wallet.js'
import { clockText } from '@florin/shared/time.js'
import { useEffect, useRef, useState } from 'react'
import { Button, Field } from '../kit/controls.tsx'
import { Card, Icon, Money, useMoneyText } from '../kit/display.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { add, isZero, negate } from './amounts.ts'
import { Gift, type GiftChoice, giftAmount } from './Gift.tsx'
import { useLanguage } from './language.ts'
import { navigateInstead } from './navigation.tsx'
import { Order } from './Order.tsx'
import type { PayNote, PayOrder } from './usePayment.ts'

type Props = {
  preview: PaymentPreview
  busy: 'paying' | 'checking' | null
  note: PayNote | null
  onPay: (order: PayOrder) => void
  onExpired: () => void
}

export function PreviewCard({ preview, busy, note, onPay, onExpired }: Props) {
  const { say } = useLanguage()
  const [choice, setChoice] = useState<GiftChoice>({ kind: 'none' })
  const [pin, setPin] = useState('')
  const moneyText = useMoneyText()
  const needsPin = preview.pin_needed || note === 'pinNeeded' || note === 'pinWrong'
  const { amount, currency, balance } = preview
  const gift = giftAmount(choice, preview)
  const total = add(currency, amount, gift ?? '0.00')
  const after = add(currency, balance, negate(total))
  const isCovered = !after.startsWith('-')
  const secondsLeft = useSecondsLeft(preview, onExpired)
  const money = (text: string) => <Money amount={text} currency={currency} />

  return (
    <>
      <Card>
        <div className="amount-due">
          <Money amount={amount} currency={currency} isLarge />
          <StoreLogo storeId={preview.store_id} url={preview.store.logo} />
        </div>
        <Order payment={preview} />
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
          {note === 'gift' && busy === null && (
            <p className="field-problem">
              <Icon name="warning" />
              {say('giftTooMuch', { amount: available() })}
            </p>
          )}
          {busy === 'checking' && <p className="soft small">{say('checking')}</p>}
        </div>
        {needsPin && (
          <Field
            // The new key after a wrong PIN clears the field.
            key={note}
            label={say('pinForPay')}
            help={say('pinForPayHelp')}
            type="password"
            inputMode="numeric"
            autoComplete="off"
            autoFocus={note !== null}
            value={pin}
            onChange={setPin}
            isDisabled={busy !== null}
            problem={note === 'pinWrong' && pin === '' ? say('pinWrong') : undefined}
          />
        )}
        <Button
          isWide
          isBusy={busy !== null}
          isDisabled={gift === null || !isCovered || (needsPin && pin === '')}
          onClick={start}
        >
          {say('pay', { amount: moneyText(total, currency) })}
        </Button>
        <Button isWide look="link" isDisabled={busy !== null} onClick={() => navigateInstead('')}>
          {say('cancel')}
        </Button>
      </div>
    </>
  )

  function start(): void {
    if (gift === null) return
    onPay({ gift, pin: needsPin ? pin : null })
    setPin('')
  }

  function available(): string {
    return moneyText(add(currency, balance, negate(amount)), currency)
  }
}

/** Counts down from the arrival of the preview, on the monotonic clock. */
function useSecondsLeft({ seconds_left: seconds, qr_code }: PaymentPreview, onExpired: () => void) {
  const [secondsLeft, setSecondsLeft] = useState(seconds)
  const onEnd = useRef(onExpired)
  onEnd.current = onExpired
  // biome-ignore lint/correctness/useExhaustiveDependencies: another preview restarts the countdown.
  useEffect(() => {
    const until = performance.now() + seconds * 1000
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((until - performance.now()) / 1000))
      setSecondsLeft(now)
      if (now > 0) return
      clearInterval(timer)
      onEnd.current()
    }, 500)
    return () => clearInterval(timer)
  }, [seconds, qr_code])
  return secondsLeft
}
