import type { Locale } from '@florin/shared/locales.js'

/**
 * The text to search for. An amount as the page shows it, such as `1,234.56 USD`, becomes `1234.56`: people copy it from
 * the list.
 */
export function searchText(typed: string, currency: string, locale: Locale): string {
  // Amounts in right-to-left languages have invisible marks around them.
  const text = typed.replaceAll(/[\u200e\u200f\u2066-\u2069]/g, '').trim()
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' })
  const partOf = (type: 'group' | 'decimal') =>
    format.formatToParts(1234.5).find((part) => part.type === type)!.value
  const group = partOf('group').trim() === '' ? '\\s' : `\\${partOf('group')}`
  const decimal = `\\${partOf('decimal')}`
  const code = `(\\s?${currency})?`
  const [, digits, fraction = ''] =
    new RegExp(`^(\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${decimal}(\\d+))?${code}$`, 'i').exec(
      text,
    ) ?? []
  if (digits === undefined) return text
  const whole = digits.replaceAll(/\D/g, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
