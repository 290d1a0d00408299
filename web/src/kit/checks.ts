import { parseCurrency } from '@florin/server/core/currencies.js'
import { parseRate } from '@florin/server/core/money.js'
import { normalizePhone } from '@florin/server/core/text.js'
import { parseTypedWholeNumber, toDecimal, typedMinor } from './amounts.ts'
import { amountText, rateText } from './fieldText.ts'
import { useCommonLanguage } from './language.tsx'

/** Returns what is wrong with the text of a field. `Field` doesn't call it with an empty text. */
export type Check = (text: string) => string | undefined

const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s.]+$/
const ORIGIN = /^https:\/\/[a-z0-9.-]+(:[0-9]{1,5})?$/
const isWebAddress = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text)

/** The rules of the API, for fields to check while the user types. The server checks them again. */
export function useChecks() {
  const language = useCommonLanguage()
  const { translate, locale } = language
  const problemUnless = (isValid: boolean, sentence: string) => (isValid ? undefined : sentence)
  return {
    email: (text: string) => problemUnless(EMAIL.test(text.trim()), translate('field_email')),
    phone: (text: string) => problemUnless(normalizePhone(text) !== null, translate('field_phone')),
    url: (text: string) => problemUnless(isWebAddress(text.trim()), translate('field_url')),
    origins: (text: string) => {
      const areValid = text
        .trim()
        .split(/\s+/)
        .every((origin) => ORIGIN.test(origin))
      return problemUnless(areValid, translate('field_origin'))
    },
    rate: (text: string) =>
      problemUnless(parseRate(toDecimal(text)) !== null, rateText(translate, locale)),
    percent: (text: string) =>
      problemUnless(
        /^\d{1,2}(\.\d{1,2})?$|^100(\.0{1,2})?$/.test(toDecimal(text)),
        translate('field_percent'),
      ),
    wholeNumber: (min: number, max: number) => (text: string) => {
      const number = parseTypedWholeNumber(text)
      if (number === null) return translate('field_number')
      if (number < min) return translate('field_atLeast', { limit: min })
      return problemUnless(number <= max, translate('field_atMost', { limit: max }))
    },
    amount:
      (currency: string, { isAboveZero = false } = {}): Check =>
      (text) => {
        if (parseCurrency(currency) === null) return undefined
        const minor = typedMinor(text, currency)
        if (typeof minor !== 'bigint') return amountText(minor, currency, language)
        return problemUnless(minor > 0n || !isAboveZero, translate('field_aboveZero'))
      },
    minLength: (count: number) => (text: string) =>
      problemUnless(text.length >= count, translate('field_tooShort', { count })),
  }
}
