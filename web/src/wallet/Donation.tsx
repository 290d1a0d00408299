import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { parseTypedAmount } from '../kit/amounts.ts'
import { Field } from '../kit/controls.tsx'
import { useMoneyText } from '../kit/display.tsx'
import { add, isZero, negate, roundUpAmount } from './amounts.ts'
import type { Due } from './due.ts'
import { useLanguage } from './language.ts'

export type DonationChoice =
  | { readonly kind: 'none' | 'round' }
  | { readonly kind: 'other'; readonly text: string }

/** The amount of the donation. Null if the typed text is not an amount. */
export function donationAmount(choice: DonationChoice, { amount, currency }: Due): string | null {
  if (!('text' in choice)) return choice.kind === 'none' ? '0.00' : roundUpAmount(amount, currency)
  return choice.text.trim() === '' ? '0.00' : parseTypedAmount(choice.text, currency)
}

type Props = {
  due: Due
  choice: DonationChoice
  isCovered: boolean
  isBusy: boolean
  choose: (choice: DonationChoice) => void
}

export function Donation({ due, choice, isCovered, isBusy, choose }: Props) {
  const { say } = useLanguage()
  const moneyText = useMoneyText()
  const { amount, currency, balance } = due
  const roundUp = roundUpAmount(amount, currency)
  const available = add(currency, balance, negate(amount))
  const text = (value: string) => moneyText(value, currency)

  function problem(): string | undefined {
    if (donationAmount(choice, due) === null) {
      const example = moneyText('1.50', currency).split('\u00a0')[0]!
      return say('donationMalformed', { example })
    }
    return isCovered ? undefined : say('donationTooMuch', { amount: text(available) })
  }

  return (
    <section className="donation">
      <RadioGroup
        aria-label={say('donation')}
        value={choice.kind}
        isDisabled={isBusy}
        onChange={(kind) =>
          choose(kind === 'other' ? { kind, text: '' } : { kind: kind as 'none' | 'round' })
        }
      >
        <p className="donation-title" aria-hidden="true">
          {say('donation')}
        </p>
        <p className="donation-note soft small">{say('donationNote')}</p>
        <div className="donation-choices">
          <Radio className="choice" value="none">
            {say('noDonation')}
          </Radio>
          {!isZero(roundUp) && (
            <Radio className="choice" value="round">
              {say('roundUp', { amount: text(roundUp) })}
            </Radio>
          )}
          <Radio className="choice" value="other">
            {say('otherDonation')}
          </Radio>
        </div>
      </RadioGroup>
      {'text' in choice && (
        <Field
          label={say('donationLabel', { currency })}
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          isDisabled={isBusy}
          value={choice.text}
          onChange={(typed) => choose({ kind: 'other', text: typed })}
          problem={problem()}
        />
      )}
    </section>
  )
}
