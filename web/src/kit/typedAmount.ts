import { MAX_INTEGER_DIGITS } from '@florin/server/core/money.js'
import type { Locale } from '@florin/shared/locales.js'
import { moneyParts } from '@florin/shared/money.js'
import { toWesternDigits } from './amounts.ts'

/** A key of the keypad. */
export type Key = Digit | '.' | 'erase' | 'clear'
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'

/**
 * The key of the keypad for a key of the keyboard. Null if there is none. Arabic and Persian keyboards have their own digits, and
 * Chinese input methods type full-width ones.
 */
export function keyOf(pressed: string): Key | null {
  if (pressed === 'Backspace') return 'erase'
  if (/^[.,٫．，]$/.test(pressed)) return '.'
  const digit = toWesternDigits(pressed)
  return /^[0-9]$/.test(digit) ? (digit as Digit) : null
}

/** The typed amount after a key. Amounts are typed with a decimal point: `12.5`, not `1250`. */
export function press(typed: string, key: Key, decimals: number): string {
  const [integer = '', fraction] = typed.split('.')
  switch (key) {
    case 'clear':
      return ''
    case 'erase':
      return typed.slice(0, -1)
    case '.':
      return decimals === 0 || fraction !== undefined ? typed : `${integer || '0'}.`
    default:
      if (fraction !== undefined) return fraction.length < decimals ? typed + key : typed
      if (integer === '0') return key
      return integer.length < MAX_INTEGER_DIGITS ? typed + key : typed
  }
}

export const isAboveZero = (typed: string) => /[1-9]/.test(typed)

/** The typed form of an amount of the API, which writes 500 yen as `500.00`. */
export const typedOf = (amount: string, decimals: number) =>
  decimals === 0 ? amount.split('.')[0]! : amount

/** The decimal mark of the language. */
export function decimalMarkOf(locale: Locale): string {
  const { minor } = moneyParts('0', { currency: '', decimals: 1, locale })
  return minor.replaceAll(/\d/g, '')
}

/** The typed digits, and the zeros for the digits that are still missing. */
export function typedParts(typed: string, decimals: number, locale: Locale) {
  const [integer = '', fraction] = typed.split('.')
  const { major } = moneyParts(integer || '0', { currency: '', decimals: 0, locale })
  const mark = decimalMarkOf(locale)
  if (decimals === 0) return { major, minor: '', rest: '' }
  const zeros = '0'.repeat(Math.max(0, decimals - (fraction?.length ?? 0)))
  return fraction === undefined
    ? { major, minor: '', rest: mark + zeros }
    : { major, minor: mark + fraction, rest: zeros }
}
