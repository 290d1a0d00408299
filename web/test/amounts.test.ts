import { describe, expect, it } from 'vitest'
import { searchText } from '../src/dashboard/payments/searchText.ts'
import {
  addAmounts,
  minorOf,
  parseTypedAmount,
  parseTypedWholeNumber,
  toDecimal,
} from '../src/kit/amounts.ts'
import { add, average, subtract } from '../src/operator/numbers.ts'
import { type SettingTexts, toBody } from '../src/operator/stores/settings.ts'

describe('a typed number', () => {
  it.each([
    [' 12.5 ', '12.5'],
    ['12,5', '12.5'],
    ['١٢٫٥', '12.5'],
    ['۱۲٫۵', '12.5'],
    ['１２．５', '12.5'],
    ['１２，５', '12.5'],
  ])('%j becomes %s', (typed, decimal) => {
    expect(toDecimal(typed)).toBe(decimal)
  })

  it.each([
    [' 3600 ', 3600],
    ['٣٦٠٠', 3600],
    ['۳۶۰۰', 3600],
    ['３６００', 3600],
    ['999999999', 999_999_999],
    ['1000000000', null],
    ['1.5', null],
    ['-1', null],
    ['', null],
  ])('%j is the whole number %s', (typed, number) => {
    expect(parseTypedWholeNumber(typed)).toBe(number)
  })

  it('can be the expiry of a store in Arabic digits', () => {
    const texts = { expires_after_seconds: '٣٦٠٠' } as SettingTexts
    expect(toBody(texts, ['expires_after_seconds'], 'USD')).toEqual({ expires_after_seconds: 3600 })
  })

  it('can be the fee in percent of a store, with a decimal comma', () => {
    const texts = { fee_bps: '1,25' } as SettingTexts
    expect(toBody(texts, ['fee_bps'], 'USD')).toEqual({ fee_bps: 125 })
  })
})

describe('minor units of an amount from the API', () => {
  it.each([
    ['0.00', 'USD', 0n],
    ['12.05', 'USD', 1205n],
    ['-0.50', 'USD', -50n],
    ['500.00', 'JPY', 500n],
    ['-1.234', 'KWD', -1234n],
    ['90000000000000000.00', 'USD', 9_000_000_000_000_000_000n],
  ])('of %s %s are %i', (amount, currency, minor) => {
    expect(minorOf(amount, currency)).toBe(minor)
  })
})

describe('typed amounts', () => {
  it.each([
    [' 12.50 ', '12.50'],
    ['12,50', '12.50'],
    ['\u0661\u0662\u066b\u0665', '12.50'],
  ])('%s is %s', (typed, amount) => {
    expect(parseTypedAmount(typed, 'USD')).toBe(amount)
    expect(Number(toDecimal(typed))).toBe(Number(amount))
  })

  it.each(['1,234.50', '1.234,50', '12.505', '12 50', '-1', '\u20ac5'])(
    '%s is refused',
    (typed) => {
      expect(parseTypedAmount(typed, 'USD')).toBeNull()
    },
  )
})

describe('sums', () => {
  it('are exact, with a sign if below zero', () => {
    expect(addAmounts('USD', '0.10', '0.20')).toBe('0.30')
    expect(addAmounts('USD', '5.00', '-7.50')).toBe('-2.50')
    expect(addAmounts('USD', '-0.00')).toBe('0.00')
    expect(addAmounts('JPY', '500.00', '1.00')).toBe('501.00')
  })

  it('can have more digits than an amount that a user can type', () => {
    expect(addAmounts('IDR', '1000000000000.00', '-0.01')).toBe('999999999999.99')
    expect(average('3000000000000.00', 2, 'USD')).toBe('1500000000000.00')
    expect(subtract('USD', '1000000000000.00', '1.00')).toBe('999999999999.00')
  })
})

describe('a balance after a movement of money', () => {
  it('is the sum or the difference', () => {
    expect(add('USD', '10.00', '2.50')).toBe('12.50')
    expect(subtract('USD', '10.00', '12.50')).toBe('-2.50')
  })

  it('is null without an amount above zero', () => {
    expect(add('USD', '10.00', '')).toBeNull()
    expect(subtract('USD', '10.00', '0.00')).toBeNull()
  })
})

describe('a search for payments', () => {
  it.each([
    ['1,234.56 USD', 'en', '1234.56'],
    ['1,234.56', 'en', '1234.56'],
    ['12,345', 'en', '12345'],
    ['7.25 usd', 'en', '7.25'],
    ['12.345,60 USD', 'es', '12345.60'],
    ['1\u202f234,56\u00a0USD', 'fr', '1234.56'],
    ['\u20661,234.56\u00a0USD\u2069', 'ar', '1234.56'],
    ['1,234.56 USD', 'zh', '1234.56'],
  ] as const)('finds the amount %s as shown in %s', (shown, locale, amount) => {
    expect(searchText(shown, 'USD', locale)).toBe(amount)
  })

  it.each([
    ['$12.50', 'USD', 'en', '12.50'],
    ['12.50 $', 'USD', 'en', '12.50'],
    ['US$1,234.56', 'USD', 'zh', '1234.56'],
    ['12,50 $US', 'USD', 'fr', '12.50'],
    ['USD 12.50', 'USD', 'en', '12.50'],
    ['12,50 €', 'EUR', 'es', '12.50'],
    ['€12,50', 'EUR', 'en', '12,50'],
    ['￥１２．５０', 'CNY', 'zh', '12.50'],
    ['١٬٢٣٤٫٥٦', 'USD', 'ar', '1234.56'],
    ['۱۲٫۵۰', 'USD', 'en', '12.50'],
    ['١٢٫٥٠', 'EUR', 'es', '12.50'],
  ] as const)('finds the amount %s in %s as typed in %s', (typed, currency, locale, amount) => {
    expect(searchText(typed, currency, locale)).toBe(amount)
  })

  it.each([
    ' order-2 ',
    '12,50',
    '1,2',
    'Tea 3',
    '1.234.56',
    'USD',
    '20.00 EUR',
    '€20',
    '$',
    '$ TEA',
    'طلب ١٢',
  ])('keeps the text %s', (text) => {
    expect(searchText(text, 'USD', 'en')).toBe(text.trim())
  })
})
