import type { Locale } from './locales.ts'

/** An amount in pieces, so that a page can show the minor units smaller than the major ones. */
export type MoneyParts = {
  readonly major: string
  readonly minor: string
  readonly currency: string
}

const formats = new Map<string, Intl.NumberFormat>()

/**
 * Digits as the language writes them, from the decimal text of the API. How many there are after the
 * point is the caller's to say: Intl has its own opinion of some currencies, and the API shows two
 * places even for yen.
 */
export function moneyParts(
  amount: string,
  { currency, decimals, locale }: { currency: string; decimals: number; locale: Locale },
): MoneyParts {
  const name = `${locale} ${decimals}`
  let format = formats.get(name)
  if (format === undefined) {
    // Western digits in Arabic too: they are what stands on the QR number and on the receipt.
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
    format = new Intl.NumberFormat(locale, { ...digits, numberingSystem: 'latn' })
    formats.set(name, format)
  }
  // A string and not a number: a number would lose digits of a large amount.
  const parts = format.formatToParts(amount as Intl.StringNumericLiteral)
  const point = parts.findIndex((part) => part.type === 'decimal')
  const text = (some: typeof parts) => some.map((part) => part.value).join('')
  return {
    major: text(point === -1 ? parts : parts.slice(0, point)),
    minor: point === -1 ? '' : text(parts.slice(point)),
    currency,
  }
}

/** The same in one line, for sentences. No line breaks between the number and its currency. */
export function moneyText(...given: Parameters<typeof moneyParts>): string {
  const { major, minor, currency } = moneyParts(...given)
  return `${major}${minor}\u00a0${currency}`
}
