import type { Locale } from './locales.ts'

/** Formats a fraction as `97.4%`; `isChange` adds a sign. */
export function percentText(
  part: number,
  locale: Locale,
  { isChange = false, maxDecimals = 1 } = {},
): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: maxDecimals,
    numberingSystem: 'latn',
    signDisplay: isChange ? 'exceptZero' : 'auto',
  })
  // Intl writes a hyphen as the minus sign.
  return format.format(part).replace('-', '\u2212')
}

/** Formats a number for an axis, such as `1.2K`. */
export function compactNumber(value: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
    numberingSystem: 'latn',
  }).format(value)
}
