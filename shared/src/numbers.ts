import type { Locale } from './locales.ts'

/** Formats a fraction as `97.4%`; `isChange` adds a sign. */
export function percentText(part: number, locale: Locale, { isChange = false } = {}): string {
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    numberingSystem: 'latn',
    signDisplay: isChange ? 'exceptZero' : 'auto',
  }).format(part)
}
