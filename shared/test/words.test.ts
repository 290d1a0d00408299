import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOCALES } from '../src/locales.ts'
import { moneyParts, moneyText } from '../src/money.ts'
import { clockText, deadlineText } from '../src/time.ts'
import { createTranslate, type Plural, type Words } from '../src/translate.ts'

const sections = readdirSync(new URL('../src/words', import.meta.url))
const wordsOf = async (section: string, locale: string): Promise<Words> =>
  (await import(`../src/words/${section}/${locale}.ts`)).words

const forms = (message: string | Plural) =>
  typeof message === 'string' ? [message] : Object.values(message)
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()

describe.each(sections)('words of %s', (section) => {
  it.each(LOCALES)('%s has every key and placeholder, and no empty text', async (locale) => {
    const source = await wordsOf(section, 'en')
    const words = await wordsOf(section, locale)
    expect(Object.keys(words).sort()).toEqual(Object.keys(source).sort())
    for (const [key, message] of Object.entries(words)) {
      const expected = namesIn(forms(source[key]!).at(-1)!)
      for (const text of forms(message)) {
        expect(text.trim(), key).toBe(text)
        expect(text, key).not.toBe('')
        // A form for one or two may spell the number out.
        expect(expected, key).toEqual(expect.arrayContaining(namesIn(text)))
      }
      expect(namesIn(forms(message).at(-1)!), key).toEqual(expected)
    }
  })
})

it('in Chinese, the code of a shop is 收款码 or 二维码: 付款码 is the code that a payer shows', async () => {
  for (const section of sections) {
    const texts = Object.values(await wordsOf(section, 'zh')).flatMap(forms)
    expect(texts.filter((text) => text.includes('付款码'))).toEqual([])
  }
})

it('fills placeholders and selects plurals by count', () => {
  const source = {
    left: { one: '{count} minute', other: '{count} minutes' },
    to: 'To {store}',
  } as const
  const translate = createTranslate<typeof source>('en', source)
  expect([1, 2].map((count) => translate('left', { count }))).toEqual(['1 minute', '2 minutes'])
  expect(translate('to', { store: '{left} $& $1' })).toBe('To {left} $& $1')
  const arabic = {
    left: { two: 'دقيقتان', few: '{count} دقائق', other: '{count} دقيقة' },
    to: '{store}',
  }
  const translateArabic = createTranslate<typeof source>('ar', arabic)
  expect([2, 3, 11].map((count) => translateArabic('left', { count }))).toEqual([
    'دقيقتان',
    '3 دقائق',
    '11 دقيقة',
  ])
})

it('no line breaks before a French or Spanish mark, or inside French quotation marks', () => {
  const source = { ask: 'Touchez « {name} » ? 100 % : oui', plain: 'No: 100%?' } as const
  const translate = createTranslate<typeof source>('fr', source)
  expect(translate('ask', { name: 'a ?' })).toBe(
    'Touchez «\u00a0a ?\u00a0»\u00a0? 100\u00a0%\u00a0: oui',
  )
  expect(translate('plain')).toBe('No: 100%?')
})

it('formats money with the decimals of the currency and the separators of the language', () => {
  const usd = { currency: 'USD', decimals: 2 }
  expect(moneyParts('1234567.50', { ...usd, locale: 'en' })).toEqual({
    major: '1,234,567',
    minor: '.50',
    currency: 'USD',
  })
  expect(moneyText('999999999999.99', { ...usd, locale: 'es' })).toBe('999.999.999.999,99\u00a0USD')
  expect(moneyText('500.00', { currency: 'JPY', decimals: 0, locale: 'zh' })).toBe('500\u00a0JPY')
  expect(moneyText('0.125', { currency: 'IQD', decimals: 3, locale: 'fr' })).toBe('0,125\u00a0IQD')
  expect(moneyText('-1200.50', { ...usd, locale: 'en' })).toBe('\u22121,200.50\u00a0USD')
  expect(moneyText('-3.00', { ...usd, locale: 'ar' })).toBe('\u2066\u200e\u22123.00\u00a0USD\u2069')
  // Isolated, or the currency would stand before the number in a right-to-left sentence.
  expect(moneyText('12.50', { ...usd, locale: 'ar' })).toBe('\u206612.50\u00a0USD\u2069')
})

it('a duration shows hours from one hour on', () => {
  expect([0, 59.9, 871, 3600, 86399].map(clockText)).toEqual([
    '00:00',
    '00:59',
    '14:31',
    '1:00:00',
    '23:59:59',
  ])
})

describe('a deadline', () => {
  const now = new Date('2026-03-01T20:00:00Z')
  const utc = { locale: 'en', timeZone: 'UTC' } as const

  it('has a date unless it is today in the time zone', () => {
    expect(deadlineText(new Date('2026-03-01T20:15:00Z'), now, utc)).toMatch(/^08:15\sPM UTC$/)
    const tomorrow = new Date('2026-03-02T20:00:00Z')
    expect(deadlineText(tomorrow, now, utc)).toMatch(/^Mar 2, 2026, 08:00\sPM UTC$/)
    const tokyo = { ...utc, timeZone: 'Asia/Tokyo' }
    expect(deadlineText(tomorrow, now, tokyo)).toMatch(/^Mar 3, 2026, 05:00\sAM GMT\+9$/)
    // The same day in UTC, but after midnight in Athens.
    const athens = { ...utc, timeZone: 'Europe/Athens' }
    const lateToday = new Date('2026-03-01T22:30:00Z')
    expect(deadlineText(lateToday, now, athens)).toMatch(/^Mar 2, 2026, 12:30\sAM /)
  })
})
