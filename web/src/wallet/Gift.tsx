import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { Field } from '../kit/controls.tsx'
import { amountText } from '../kit/display.tsx'
import { added, isZero, negative, toRoundUp, typedAmount } from './amounts.ts'
import type { Preview } from './api.ts'
import { useLanguage } from './language.ts'

export type GiftChoice =
  | { readonly kind: 'none' | 'round' }
  | { readonly kind: 'other'; readonly text: string }

/** What it comes to; null while what was typed is no amount. */
export function giftOf(choice: GiftChoice, { amount, currency }: Preview): string | null {
  if (!('text' in choice)) return choice.kind === 'none' ? '0.00' : toRoundUp(amount, currency)
  return choice.text.trim() === '' ? '0.00' : typedAmount(choice.text, currency)
}

type Props = {
  preview: Preview
  choice: GiftChoice
  isCovered: boolean
  isBusy: boolean
  choose: (choice: GiftChoice) => void
}

export function Gift({ preview, choice, isCovered, isBusy, choose }: Props) {
  const { say, locale } = useLanguage()
  const { amount, currency, balance } = preview
  const missing = toRoundUp(amount, currency)
  const left = added(currency, balance, negative(amount))
  const text = (of: string) => amountText({ amount: of, currency, locale })

  function problem(): string | undefined {
    if (giftOf(choice, preview) === null) {
      const example = amountText({ amount: '1.50', currency, locale }).split('\u00a0')[0]!
      return say('giftMalformed', { example })
    }
    return isCovered ? undefined : say('giftTooMuch', { amount: text(left) })
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
        <div className="gift-choices">
          <Radio className="choice" value="none">
            {say('noGift')}
          </Radio>
          {!isZero(missing) && (
            <Radio className="choice" value="round">
              {say('roundUp', { amount: text(missing) })}
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
      {choice.kind !== 'none' && <p className="soft small">{say('giftNote')}</p>}
    </section>
  )
}
