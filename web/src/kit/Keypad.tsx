import './styles/keypad.css'
import type { ReactNode } from 'react'
import { Icon } from './display.tsx'
import { useKeypadLanguage } from './language.tsx'
import { decimalMarkOf, type Key, typedParts } from './typedAmount.ts'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

type Props = { decimals: number; press: (key: Key) => void }

/** Rows from left to right in every language, like on a card terminal. */
export function Keypad({ decimals, press }: Props) {
  const { translate, locale } = useKeypadLanguage()
  const key = (name: Key, content: ReactNode, label?: string) => (
    <button
      key={name}
      type="button"
      className="key"
      aria-label={label}
      // Keeps the focus, so that Enter still confirms after a tap.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => press(name)}
    >
      {content}
    </button>
  )
  return (
    <fieldset className="keypad" aria-label={translate('keypad')} dir="ltr">
      {DIGITS.map((digit) => key(digit, digit))}
      {decimals > 0
        ? key('.', decimalMarkOf(locale), translate('point'))
        : key('clear', 'C', translate('clear'))}
      {key('0', '0')}
      {key('erase', <Icon name="erase" />, translate('erase'))}
    </fieldset>
  )
}

/** Amounts of up to twelve digits must fit on a phone. */
function sizeOf(major: string): 'short' | 'long' | 'longest' {
  if (major.length <= 5) return 'short'
  return major.length <= 9 ? 'long' : 'longest'
}

type AmountProps = { typed: string; currency: string; decimals: number }

/** The amount so far, with grey zeros for the digits that are still missing. */
export function EntryAmount({ typed, currency, decimals }: AmountProps) {
  const { translate, locale } = useKeypadLanguage()
  const { major, minor, rest } = typedParts(typed, decimals, locale)
  return (
    <p className="entry-amount" role="status" aria-label={translate('amount')}>
      <span className={`money entry-money entry-${sizeOf(major)}`}>
        <span className={typed === '' ? 'soft' : undefined}>{major}</span>
        <span className="money-minor">
          {minor}
          <span className="soft">{rest}</span>
        </span>
        <span className="money-currency"> {currency}</span>
      </span>
    </p>
  )
}
