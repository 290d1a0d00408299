import { type ReactNode, useEffect, useState } from 'react'
import { addAmounts } from '../kit/amounts.ts'
import { Button, Field } from '../kit/controls.tsx'
import { Card, Icon, Money, useMoneyText } from '../kit/display.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { isZero, negate } from './amounts.ts'
import type { PayOrder } from './api.ts'
import type { Terms } from './attemptKeys.ts'
import { Donation, type DonationChoice, donationAmount } from './Donation.tsx'
import type { Due } from './due.ts'
import { useLanguage } from './language.ts'
import { loadPaidProof } from './loadPaidProof.ts'
import { navigateInstead } from './navigation.tsx'
import { Order } from './Order.tsx'
import type { PayNote } from './usePayment.ts'

type Props = {
  due: Due
  busy: 'paying' | 'checking' | null
  note: PayNote | null
  /** An earlier attempt to pay the same, with an unknown outcome. Its donation can't be changed: it may have been paid. */
  uncertain: Terms | null
  /** About the link: its title, and a way to change the amount. */
  about?: ReactNode
  timeLeft?: ReactNode
  onPay: (agreed: Pick<PayOrder, 'donation' | 'pin'>) => void
}

export function PreviewCard({ due, busy, note, uncertain, about, timeLeft, onPay }: Props) {
  const { translate } = useLanguage()
  // Loaded now, because the connection can be lost after the payment.
  useEffect(() => void loadPaidProof().catch(() => {}), [])
  const [choice, setChoice] = useState<DonationChoice>({ kind: 'none' })
  const [pin, setPin] = useState('')
  const moneyText = useMoneyText()
  const needsPin = due.pin_needed || note === 'pinNeeded' || note === 'pinWrong'
  const { amount, currency, balance } = due
  const donation = uncertain?.donation ?? donationAmount(choice, due)
  const total = addAmounts(currency, amount, donation ?? '0.00')
  const balanceAfter = addAmounts(currency, balance, negate(total))
  const isCovered = !balanceAfter.startsWith('-')
  // The balance may be too low because the earlier attempt was paid.
  const canPay = isCovered || uncertain !== null
  const money = (text: string) => <Money amount={text} currency={currency} />
  const problem = findProblem()

  return (
    <>
      <Card>
        <div className="amount-due">
          <Money amount={amount} currency={currency} isLarge />
          <StoreLogo storeId={due.store_id} url={due.store.logo} />
        </div>
        {about}
        <Order payment={due} />
        <dl className="sums">
          {donation !== null && !isZero(donation) && (
            <>
              <dt>{translate('kindDonation')}</dt>
              <dd>{money(donation)}</dd>
              <dt>{translate('total')}</dt>
              <dd className="strong">{money(total)}</dd>
            </>
          )}
          <dt>{translate('balanceAfter')}</dt>
          <dd>{isCovered ? money(balanceAfter) : '–'}</dd>
          {timeLeft}
        </dl>
      </Card>
      {uncertain === null && (
        <Donation
          due={due}
          choice={choice}
          isCovered={isCovered}
          isBusy={busy !== null}
          choose={setChoice}
        />
      )}
      <div className="pay-bar">
        <div aria-live="polite">
          {busy === null && problem !== null && (
            <p className="field-problem">
              <Icon name="warning" />
              {problem}
            </p>
          )}
          {busy === 'checking' && <p className="soft small">{translate('checking')}</p>}
        </div>
        {needsPin && (
          <Field
            // The new key remounts the field, so that it gets the focus after a wrong PIN.
            key={note}
            label={translate('pinForPay')}
            help={translate('pinForPayHelp')}
            type="password"
            inputMode="numeric"
            autoComplete="off"
            autoFocus={note !== null}
            value={pin}
            onChange={setPin}
            isDisabled={busy !== null}
            problem={note === 'pinWrong' && pin === '' ? translate('pinWrong') : undefined}
          />
        )}
        <Button
          isWide
          isBusy={busy !== null}
          isDisabled={donation === null || !canPay || (needsPin && pin === '')}
          onClick={start}
        >
          {translate('pay', { amount: moneyText(total, currency) })}
        </Button>
        <Button isWide look="link" isDisabled={busy !== null} onClick={() => navigateInstead('')}>
          {translate('cancel')}
        </Button>
      </div>
    </>
  )

  function start(): void {
    if (donation === null) return
    onPay({ donation, pin: needsPin ? pin : null })
    setPin('')
  }

  function findProblem(): string | null {
    if (note === 'amount') return translate('amountRefused')
    if (note === 'rate') return translate('rateChanged')
    if (note === null && uncertain !== null) return translate('notConfirmedYet')
    if (note !== 'donation') return null
    const available = addAmounts(currency, balance, negate(amount))
    return translate('donationTooMuch', { amount: moneyText(available, currency) })
  }
}
