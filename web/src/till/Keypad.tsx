import type { ReactNode } from 'react'
import { Icon } from '../kit/display.tsx'
import { decimalMarkOf, type Key } from './amount.ts'
import { useLanguage } from './language.ts'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

type Props = { decimals: number; press: (key: Key) => void }

/** The same layout in every language, like on a cash register. */
export function Keypad({ decimals, press }: Props) {
  const { say, locale } = useLanguage()
  const key = (name: Key, content: ReactNode, label?: string) => (
    <button
      key={name}
      type="button"
      className="key"
      aria-label={label}
      // Keeps the focus, so that Enter still charges after a tap.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => press(name)}
    >
      {content}
    </button>
  )
  return (
    <fieldset className="keypad" aria-label={say('keypad')} dir="ltr">
      {DIGITS.map((digit) => key(digit, digit))}
      {decimals > 0
        ? key('.', decimalMarkOf(locale), say('point'))
        : key('clear', 'C', say('clear'))}
      {key('0', '0')}
      {key('erase', <Icon name="erase" />, say('erase'))}
    </fieldset>
  )
}
