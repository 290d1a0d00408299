import { directionOf, type Locale } from './locales.ts'

/** An amount in parts, so that a page can show the minor units in smaller type. */
type MoneyParts = {
  readonly major: string
  readonly minor: string
  readonly currency: string
}

/** As wide as a digit, unlike the hyphen that Intl writes. */
const MINUS = '\u2212'

const formats = new Map<string, Intl.NumberFormat>()

/**
 * Formats a decimal amount of the API for a language. The caller passes the number of decimals: Intl
 * uses different ones for some currencies, and the API shows two even for yen.
 */
export function moneyParts(
  amount: string,
  { currency, decimals, locale }: { currency: string; decimals: number; locale: Locale },
): MoneyParts {
  const key = `${locale} ${decimals}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      // Western digits in Arabic too, to match the QR number and the receipt.
      numberingSystem: 'latn',
    })
    formats.set(key, format)
  }
  // Pass the string: a number would lose digits of a large amount.
  const parts = format.formatToParts(amount as Intl.StringNumericLiteral)
  const point = parts.findIndex((part) => part.type === 'decimal')
  const join = (joined: typeof parts) =>
    joined.map(({ type, value }) => (type === 'minusSign' ? MINUS : value)).join('')
  return {
    major: join(point === -1 ? parts : parts.slice(0, point)),
    minor: point === -1 ? '' : join(parts.slice(point)),
    currency,
  }
}

/** Characters before the decimal mark. A longer amount would not fit on one line of a phone in large type. */
const MAX_LARGE_LENGTH = 9

/** The class names of an amount in large type. */
export const largeMoneyClass = (major: string) =>
  major.length > MAX_LARGE_LENGTH ? 'money money-large money-long' : 'money money-large'

/**
 * The amount as one string. A no-break space joins the number and its currency. In a right-to-left sentence the amount is
 * isolated, so that it reads like the amounts that stand alone: number, then currency.
 */
export function moneyText(...args: Parameters<typeof moneyParts>): string {
  const { major, minor, currency } = moneyParts(...args)
  const text = `${major}${minor}\u00a0${currency}`
  return directionOf(args[1].locale) === 'rtl' ? `\u2066${text}\u2069` : text
}
