import { LOCALES } from '@florin/shared/locales.js'
import { describe, expect, it } from 'vitest'
import { grossOf, groupDigits } from '../src/kit/store/payment.ts'
import type { Payment } from '../src/kit/store/types.ts'
import { isAboveZero, type Key, press, typedOf, typedParts } from '../src/till/amount.ts'

const type = (keys: string, decimals = 2) =>
  [...keys].reduce((typed, key) => press(typed, key as Key, decimals), '')
const shown = (typed: string, decimals: number) => Object.values(typedParts(typed, decimals, 'en'))

describe('the keypad', () => {
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
  ])('makes of %s with %i decimals %s', (keys, decimals, typed) => {
    expect(type(keys, decimals)).toBe(typed)
    // Sent as a JSON number, every digit arrives.
    expect(Number(JSON.stringify(Number(typed)))).toBe(Number(typed))
  })

  it('takes back digit by digit, and all at once', () => {
    expect(press('1.2', 'erase', 2)).toBe('1.')
    expect(press(press('1.', 'erase', 2), 'erase', 2)).toBe('')
    expect(press('', 'erase', 2)).toBe('')
    expect(press('12.5', 'clear', 2)).toBe('')
  })

  it('shows the zeros that are still to be typed over', () => {
    expect(shown('', 2)).toEqual(['0', '', '.00'])
    expect(shown('1234.', 2)).toEqual(['1,234', '.', '00'])
    expect(shown('1.2', 3)).toEqual(['1', '.2', '00'])
    expect(shown('500', 0)).toEqual(['500', '', ''])
    // Typed where there are more decimals.
    expect(shown('1.255', 2)).toEqual(['1', '.255', ''])
    expect(shown('12.5', 0)).toEqual(['12', '', ''])
  })

  it.each(LOCALES)('writes no digit of its own in %s', (locale) => {
    const { major, minor, rest } = typedParts('1234.5', 2, locale)
    expect((major + minor + rest).replaceAll(/\D/g, '')).toBe('123450')
  })

  it('charges only what is above zero', () => {
    expect(['', '0', '0.', '0.00', '0.01', '1'].filter(isAboveZero)).toEqual(['0.01', '1'])
  })
})

it('an amount of the API is typed again as the currency has it', () => {
  expect([typedOf('12.50', 2), typedOf('500.00', 0), typedOf('1.125', 3)]).toEqual([
    '12.50',
    '500',
    '1.125',
  ])
})

it('what the payer pays is net and fee, to the last of fifteen digits', () => {
  const gross = (amount: string, transaction_fee: string, currency: string) =>
    grossOf({ amount, transaction_fee, currency } as Payment)
  expect(gross('12.37', '0.13', 'USD')).toBe('12.50')
  expect(gross('999999999999.998', '0.001', 'KWD')).toBe('999999999999.999')
  expect(gross('495.00', '5.00', 'JPY')).toBe('500.00')
})

it('a number is read in groups of four', () => {
  expect(groupDigits('123456789012345678901234567')).toBe('1234 5678 9012 3456 7890 1234 567')
})
