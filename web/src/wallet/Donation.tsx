import { addAmounts, parseTypedAmount } from '../kit/amounts.ts'
import { useChecks } from '../kit/checks.ts'
import { Field } from '../kit/controls.tsx'
import { useMoneyText } from '../kit/display.tsx'
import { isZero, negate, roundUpAmount } from './amounts.ts'
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
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  const checkAmount = useChecks().amount(due.currency)
  const { amount, currency, balance } = due
  const roundUp = roundUpAmount(amount, currency)
  const available = addAmounts(currency, balance, negate(amount))
  const text = (value: string) => moneyText(value, currency)

  function findProblem(): string | undefined {
    if ('text' in choice && donationAmount(choice, due) === null) return checkAmount(choice.text)
    return isCovered ? undefined : translate('donationTooMuch', { amount: text(available) })
  }

  // Uses the browser's own radio buttons: those of the library would add 6 kB to the first load.
  const radio = (option: DonationChoice, label: string) => (
    <label className="choice">
      <input
        className="visually-hidden"
        type="radio"
        name="donation"
        checked={choice.kind === option.kind}
        onChange={() => choose(option)}
      />
      {label}
    </label>
  )

  return (
    <section className="donation">
      <fieldset disabled={isBusy}>
        <legend className="donation-title">{translate('donation')}</legend>
        <p className="donation-note soft small">{translate('donationNote')}</p>
        <div className="donation-choices">
          {radio({ kind: 'none' }, translate('noDonation'))}
          {!isZero(roundUp) &&
            radio({ kind: 'round' }, translate('roundUp', { amount: text(roundUp) }))}
          {radio({ kind: 'other', text: '' }, translate('otherDonation'))}
        </div>
      </fieldset>
      {'text' in choice && (
        <Field
          label={translate('donationLabel', { currency })}
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          isDisabled={isBusy}
          value={choice.text}
          onChange={(typed) => choose({ kind: 'other', text: typed })}
          problem={findProblem()}
        />
      )}
    </section>
  )
}
