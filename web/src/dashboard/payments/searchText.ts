import type { Locale } from '@florin/shared/locales.js'
import { toWesternDigits } from '../../kit/amounts.ts'

/**
 * The text to search for. An amount as the page shows it, such as `1,234.56 USD`, becomes `1234.56`: people copy it from
 * the list. Currency signs and Arabic, Persian and full-width digits also work.
 */
export function searchText(typed: string, currency: string, locale: Locale): string {
  // Amounts in right-to-left languages have invisible marks around them.
  const text = typed.replaceAll(/[\u200e\u200f\u2066-\u2069]/g, '').trim()
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' })
  const partOf = (type: 'group' | 'decimal') =>
    format.formatToParts(1234.5).find((part) => part.type === type)!.value
  const number = withoutCurrency(toWesternDigits(text.normalize('NFKC')), currency, locale)
    .replaceAll('٬', '')
    .replace('٫', partOf('decimal'))
  const group = partOf('group').trim() === '' ? '\\s' : `\\${partOf('group')}`
  const decimal = `\\${partOf('decimal')}`
  const [, digits, fraction = ''] =
    new RegExp(`^(\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${decimal}(\\d+))?$`).exec(number) ?? []
  // The server also reads a decimal comma.
  if (digits === undefined) return /^\d+[.,]\d+$/.test(number) ? number : text
  const whole = digits.replaceAll(/\D/g, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Removes the code or a sign of the currency from the start or the end. Keeps those of other currencies. */
function withoutCurrency(text: string, currency: string, locale: Locale): string {
  const signs = [
    signOf(locale, 'symbol'),
    signOf(locale, 'narrowSymbol'),
    signOf('en', 'narrowSymbol'),
  ]
  const upper = text.toUpperCase()
  for (const sign of [currency, ...signs]) {
    if (upper.startsWith(sign)) return text.slice(sign.length).trim()
    if (upper.endsWith(sign)) return text.slice(0, -sign.length).trim()
  }
  return text

  function signOf(locale: Locale, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
    return format
      .formatToParts(1)
      .find(({ type }) => type === 'currency')!
      .value.toUpperCase()
  }
}
