import { decimalsOf, parseCurrency } from '@florin/server/core/currencies.js'
import { type AmountProblem, MAX_INTEGER_DIGITS } from '@florin/server/core/money.js'
import type { Locale } from '@florin/shared/locales.js'
import { moneyParts, moneyText } from '@florin/shared/money.js'
import type { Translate } from '@florin/shared/translate.js'
import type { CommonWords } from './language.tsx'

type Language = { readonly translate: Translate<CommonWords>; readonly locale: Locale }

/** The number of an amount, without its currency, as people of the language write it. */
function exampleOf(amount: string, locale: Locale, decimals: number): string {
  const { major, minor } = moneyParts(amount, { currency: '', decimals, locale })
  return major + minor
}

/** Formats an amount from a message of the server, such as `5.00 USD`, for the user's language. */
function localAmount(text: string, locale: Locale): string {
  const [amount = '', code = ''] = text.split(' ')
  const currency = parseCurrency(code)
  return currency === null
    ? text
    : moneyText(amount, { currency, decimals: decimalsOf(currency), locale })
}

export function amountText(
  problem: AmountProblem,
  code: string,
  { translate, locale }: Language,
): string {
  const currency = parseCurrency(code)
  const decimals = currency === null ? 2 : decimalsOf(currency)
  if (problem === 'too_large') return translate('field_digits', { count: MAX_INTEGER_DIGITS })
  if (problem === 'too_many_decimals' && currency !== null) {
    return decimals === 0
      ? translate('field_noDecimals', { currency })
      : translate('field_decimals', { count: decimals, currency })
  }
  return translate('field_amount', { example: exampleOf('12.50', locale, decimals) })
}

type Sentence = (match: readonly string[], language: Language) => string

/** The keys of the words without placeholders. */
type PlainWord = {
  [Key in keyof CommonWords]: CommonWords[Key] extends `${string}{${string}` | object ? never : Key
}[keyof CommonWords]

/** The server explains the problem of a field in English. These are the same sentences in the user's language. */
const SENTENCES: readonly (readonly [pattern: RegExp, sentence: PlainWord | Sentence])[] = [
  [/ is required$| must not be empty/, 'field_required'],
  [/ must be (an|one) email address/, 'field_email'],
  [/ must be an international number/, 'field_phone'],
  [
    / must be (a decimal number|an amount|a number)| must not be negative/,
    (_, language) => amountText('not_a_number', '', language),
  ],
  [
    / has more decimals than (\w{3})/,
    ([, code = ''], language) => amountText('too_many_decimals', code, language),
  ],
  [/ has too many decimals/, (_, language) => amountText('too_many_decimals', '', language)],
  [/ digits before the decimal point/, (_, language) => amountText('too_large', '', language)],
  [/ must be greater than 0/, 'field_aboveZero'],
  [/ must be above zero/, (_, { translate, locale }) => rateText(translate, locale)],
  [
    / must be at most (\d+) days before/,
    // The first and the last day are both part of the period.
    ([, count], { translate }) => translate('field_tooManyDays', { count: Number(count) + 1 }),
  ],
  [
    / must be at least (.+)$/,
    ([, limit = ''], { translate, locale }) =>
      translate('field_atLeast', { limit: localAmount(limit, locale) }),
  ],
  [
    / must be at most (.+)$/,
    ([, limit = ''], { translate, locale }) =>
      translate('field_atMost', { limit: localAmount(limit, locale) }),
  ],
  [
    / must have at least (\d+) characters/,
    ([, count], { translate }) => translate('field_tooShort', { count: Number(count) }),
  ],
  [
    / must have at most (\d+) characters/,
    ([, count], { translate }) => translate('field_tooLong', { count: Number(count) }),
  ],
  [/ must have at least \d+ item/, 'field_choice'],
  [/ must be an integer/, 'field_number'],
  [/ must begin with https:/, 'field_https'],
  [/ must be an (http|absolute)| must begin with http:/, 'field_url'],
  [/ must be a public address| must use an allowed port/, 'field_publicUrl'],
  [/ must be the origin of a site/, 'field_origin'],
  [/ ISO 4217 code|currency is not known|time_zone must be| must be one of/, 'field_select'],
  [/ must not be the same currency/, 'field_currencies'],
  [/ cannot be converted to /, 'field_noRate'],
  [/ must be a time in the future/, 'field_future'],
  [
    / must be a time in the next (\d+) days/,
    ([, days = ''], { translate }) => translate('field_nextDays', { days }),
  ],
  [/ must not be before from/, 'field_period'],
  [/ must not be above max_amount/, 'field_minAboveMax'],
  [/ must be 4 to 8 digits/, 'field_pin'],
  [/ is too easy to guess/, 'field_weakPin'],
  [/ is one of the most common/, 'field_commonPassword'],
  [/ must not be your email/, 'field_emailPassword'],
  [/ must differ from your current/, 'field_samePassword'],
  [/ is not your | is wrong/, 'field_wrong'],
  [/ belongs to /, 'field_taken'],
  [/ characters that cannot be stored/, 'field_characters'],
  [
    / above the daily limit of the store: (.+) left/,
    ([, left = ''], { translate, locale }) =>
      translate('field_dayLimit', { amount: localAmount(left, locale) }),
  ],
  [
    / above the monthly limit of the store: (.+) left/,
    ([, left = ''], { translate, locale }) =>
      translate('field_monthLimit', { amount: localAmount(left, locale) }),
  ],
]

export const rateText = (translate: Translate<CommonWords>, locale: Locale): string =>
  translate('field_rate', { example: exampleOf('1.0842', locale, 4) })

/** The sentence for a message of the server about one field. */
export function fieldText(message: string, language: Language): string {
  for (const [pattern, sentence] of SENTENCES) {
    const match = pattern.exec(message)
    if (match === null) continue
    return typeof sentence === 'string' ? language.translate(sentence) : sentence(match, language)
  }
  return language.translate('field_invalid')
}
