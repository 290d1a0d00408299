import { decimalsOf, parseCurrency } from '@florin/server/core/currencies.js'
import type { AmountProblem } from '@florin/server/core/money.js'
import type { Locale } from '@florin/shared/locales.js'
import { moneyParts, moneyText } from '@florin/shared/money.js'
import type { Say } from '@florin/shared/say.js'
import type { CommonWords } from './language.tsx'

type Language = { readonly say: Say<CommonWords>; readonly locale: Locale }

/** The number of an amount, without its currency, as people of the language write it. */
function exampleOf(amount: string, locale: Locale, decimals = 2): string {
  const { major, minor } = moneyParts(amount, { currency: '', decimals, locale })
  return major + minor
}

/** An amount with its currency in a message of the server, such as `5.00 USD`. */
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
  { say, locale }: Language,
): string {
  const currency = parseCurrency(code)
  const decimals = currency === null ? 2 : decimalsOf(currency)
  if (problem === 'too_large') return say('field_digits', { count: 12 })
  if (problem === 'too_many_decimals' && currency !== null) {
    return decimals === 0
      ? say('field_noDecimals', { currency })
      : say('field_decimals', { count: decimals, currency })
  }
  return say('field_amount', { example: exampleOf('12.50', locale, decimals) })
}

type Sentence = (found: readonly string[], language: Language) => string

/** The words of a problem that need no values. */
type PlainWord = {
  [Key in keyof CommonWords]: CommonWords[Key] extends `${string}{${string}` | object ? never : Key
}[keyof CommonWords]

/** The server explains the problem of a field in English. These are the same sentences for people. */
const SENTENCES: readonly (readonly [message: RegExp, sentence: PlainWord | Sentence])[] = [
  [/ is required$| must not be empty/, 'field_required'],
  [/ must be (an|one) email address/, 'field_email'],
  [/ must be an international number/, 'field_phone'],
  [
    / must be (a decimal number|an amount|a number)/,
    (_, language) => amountText('not_a_number', '', language),
  ],
  [
    / has more decimals than (\w{3})/,
    ([, code = ''], l) => amountText('too_many_decimals', code, l),
  ],
  [/ has too many decimals/, (_, language) => amountText('too_many_decimals', '', language)],
  [/ digits before the decimal point/, (_, language) => amountText('too_large', '', language)],
  [/ must not be negative| must be (greater than 0|above zero$)/, 'field_aboveZero'],
  [/ must be above zero/, (_, { say, locale }) => rateText(say, locale)],
  [
    / must be at most (\d+) days before/,
    ([, count], { say }) => say('field_tooManyDays', { count: Number(count) }),
  ],
  [
    / must be at least (.+)$/,
    ([, limit = ''], { say, locale }) =>
      say('field_atLeast', { limit: localAmount(limit, locale) }),
  ],
  [
    / must be at most (.+)$/,
    ([, limit = ''], { say, locale }) => say('field_atMost', { limit: localAmount(limit, locale) }),
  ],
  [
    / must have at least (\d+) characters/,
    ([, count], { say }) => say('field_tooShort', { count: Number(count) }),
  ],
  [
    / must have at most (\d+) characters/,
    ([, count], { say }) => say('field_tooLong', { count: Number(count) }),
  ],
  [/ must have at least \d+ item/, 'field_choice'],
  [/ must be an integer/, 'field_number'],
  [/ must begin with https:/, 'field_https'],
  [/ must be an (http|absolute)| must begin with http:/, 'field_url'],
  [/ must be a public address| must use an allowed port/, 'field_publicUrl'],
  [/ must be the origin of a site/, 'field_origin'],
  [/ ISO 4217 code|currency is not known|time_zone must be| must be one of/, 'field_select'],
  [/ must be another currency/, 'field_currencies'],
  [/ cannot be converted to /, 'field_noRate'],
  [/ must be a time in the /, 'field_future'],
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
    ([, left = ''], { say, locale }) =>
      say('field_dayLimit', { amount: localAmount(left, locale) }),
  ],
  [
    / above the monthly limit of the store: (.+) left/,
    ([, left = ''], { say, locale }) =>
      say('field_monthLimit', { amount: localAmount(left, locale) }),
  ],
]

export const rateText = (say: Say<CommonWords>, locale: Locale): string =>
  say('field_rate', { example: exampleOf('1.0842', locale, 4) })

/** The sentence for a message of the server about one field. */
export function fieldText(message: string, language: Language): string {
  for (const [pattern, sentence] of SENTENCES) {
    const found = pattern.exec(message)
    if (found === null) continue
    return typeof sentence === 'string' ? language.say(sentence) : sentence(found, language)
  }
  return language.say('field_invalid')
}
