import type { PaymentDetails } from '@florin/contract/payments.js'
import { LOCALES } from '@florin/shared/locales.js'
import { describe, expect, it } from 'vitest'
import { grossOf, groupDigits } from '../src/kit/store/payment.ts'
import { isAboveZero, type Key, keyOf, press, typedOf, typedParts } from '../src/kit/typedAmount.ts'

const type = (keys: string, decimals = 2) =>
  [...keys].reduce((typed, key) => press(typed, key as Key, decimals), '')
const shown = (typed: string, decimals: number) => Object.values(typedParts(typed, decimals, 'en'))

describe('keypad', () => {
  it.each([
    ['12.5', 2, '12.5'],
    ['.5', 2, '0.5'],
    ['007', 2, '7'],
    ['0.05', 2, '0.05'],
    ['1..2.3', 2, '1.23'],
    ['9.999', 2, '9.99'],
    ['9.9999', 3, '9.999'],
    ['12.5', 0, '125'],
    ['1234567890123', 2, '123456789012'],
    ['999999999999.999', 3, '999999999999.999'],
  ])('turns the keys %s with %i decimals into %s', (keys, decimals, typed) => {
    expect(type(keys, decimals)).toBe(typed)
    // A JSON number keeps all digits.
    expect(JSON.stringify(Number(typed))).toBe(typed)
  })

  it('has the keys of Arabic, Persian and Chinese keyboards', () => {
    expect([...'12٣۴５٫．'].map(keyOf)).toEqual(['1', '2', '3', '4', '5', '.', '.'])
    expect(['a', '٣٣', 'Tab'].map(keyOf)).toEqual([null, null, null])
  })

  it('erases one digit or all', () => {
    expect(press('1.2', 'erase', 2)).toBe('1.')
    expect(press(press('1.', 'erase', 2), 'erase', 2)).toBe('')
    expect(press('', 'erase', 2)).toBe('')
    expect(press('12.5', 'clear', 2)).toBe('')
  })

  it('shows zeros for missing digits', () => {
    expect(shown('', 2)).toEqual(['0', '', '.00'])
    expect(shown('1234.', 2)).toEqual(['1,234', '.', '00'])
    expect(shown('1.2', 3)).toEqual(['1', '.2', '00'])
    expect(shown('500', 0)).toEqual(['500', '', ''])
    // Typed with more decimals than the currency has.
    expect(shown('1.255', 2)).toEqual(['1', '.255', ''])
    expect(shown('12.5', 0)).toEqual(['12', '', ''])
  })

  it.each(LOCALES)('uses Western digits in %s', (locale) => {
    const { major, minor, rest } = typedParts('1234.5', 2, locale)
    expect((major + minor + rest).replaceAll(/\D/g, '')).toBe('123450')
  })

  it('knows which amounts are above zero', () => {
    expect(['', '0', '0.', '0.00', '0.01', '1'].filter(isAboveZero)).toEqual(['0.01', '1'])
  })
})

it('converts an amount of the API to the typed form of the currency', () => {
  expect([typedOf('12.50', 2), typedOf('500.00', 0), typedOf('1.125', 3)]).toEqual([
    '12.50',
    '500',
    '1.125',
  ])
})

it('adds net amount and fee exactly, up to fifteen digits', () => {
  const gross = (amount: string, transaction_fee: string, currency: string) =>
    grossOf({ amount, transaction_fee, currency } as PaymentDetails)
  expect(gross('12.37', '0.13', 'USD')).toBe('12.50')
  expect(gross('999999999999.998', '0.001', 'KWD')).toBe('999999999999.999')
  expect(gross('495.00', '5.00', 'JPY')).toBe('500.00')
})

it('groups the digits of a number by four', () => {
  expect(groupDigits('123456789012345678901234567')).toBe('1234 5678 9012 3456 7890 1234 567')
})
