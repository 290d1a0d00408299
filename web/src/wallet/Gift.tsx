import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { parseTypedAmount } from '../kit/amounts.ts'
import { Field } from '../kit/controls.tsx'
import { useMoneyText } from '../kit/display.tsx'
import { add, isZero, negate, roundUpAmount } from './amounts.ts'
import type { Due } from './due.ts'
import { useLanguage } from './language.ts'

export type GiftChoice =
  | { readonly kind: 'none' | 'round' }
  | { readonly kind: 'other'; readonly text: string }

/** The amount of the gift. Null if the typed text is not an amount. */
export function giftAmount(choice: GiftChoice, { amount, currency }: Due): string | null {
  if (!('text' in choice)) return choice.kind === 'none' ? '0.00' : roundUpAmount(amount, currency)
  return choice.text.trim() === '' ? '0.00' : parseTypedAmount(choice.text, currency)
}

type Props = {
  due: Due
  choice: GiftChoice
  isCovered: boolean
  isBusy: boolean
  choose: (choice: GiftChoice) => void
}

export function Gift({ due, choice, isCovered, isBusy, choose }: Props) {
  const { say } = useLanguage()
  const moneyText = useMoneyText()
  const { amount, currency, balance } = due
  const roundUp = roundUpAmount(amount, currency)
  const available = add(currency, balance, negate(amount))
  const text = (value: string) => moneyText(value, currency)

  function problem(): string | undefined {
    if (giftAmount(choice, due) === null) {
      const example = moneyText('1.50', currency).split('\u00a0')[0]!
      return say('giftMalformed', { example })
    }
    return isCovered ? undefined : say('giftTooMuch', { amount: text(available) })
  }

  return (
    <section className="gift">
      <RadioGroup
        aria-label={say('gift')}
        value={choice.kind}
        isDisabled={isBusy}
        onChange={(kind) =>
          choose(kind === 'other' ? { kind, text: '' } : { kind: kind as 'none' | 'round' })
        }
      >
        <p className="gift-title" aria-hidden="true">
          {say('gift')}
        </p>
        <p className="gift-note soft small">{say('giftNote')}</p>
        <div className="gift-choices">
          <Radio className="choice" value="none">
            {say('noGift')}
          </Radio>
          {!isZero(roundUp) && (
            <Radio className="choice" value="round">
              {say('roundUp', { amount: text(roundUp) })}
            </Radio>
          )}
          <Radio className="choice" value="other">
            {say('otherGift')}
          </Radio>
        </div>
      </RadioGroup>
      {'text' in choice && (
        <Field
          label={say('giftLabel', { currency })}
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
