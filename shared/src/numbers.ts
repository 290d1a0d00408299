import type { Locale } from './locales.ts'

/** A part of one as `97.4%`; `isChange` puts a sign before it. */
export function percentText(part: number, locale: Locale, { isChange = false } = {}): string {
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    numberingSystem: 'latn',
    signDisplay: isChange ? 'exceptZero' : 'auto',
  }).format(part)
}
