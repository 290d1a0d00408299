import { PATTERN_MESSAGES } from '@florin/contract/fields.js'
import { LOCALES } from '@florin/shared/locales.js'
import { createTranslate } from '@florin/shared/translate.js'
import type { words as english } from '@florin/shared/words/wallet/en.js'
import { loadWalletWords } from '@florin/shared/words/wallet/load.js'
import { expect, it } from 'vitest'
import { passwordProblem } from '../../server/src/core/password.ts'
import { fieldText } from '../src/kit/fieldText.ts'

/** Messages that a page never causes: it sends no such field, or always a valid one. */
const NEVER_SEEN = [
  'must be 1 to 4 digits, with or without a plus sign',
  'must be encoded as base64url',
]

/** The other messages of the server that pages show at fields of forms. */
const MESSAGES = [
  'name is required',
  'scopes must have at least 1 item',
  'name must not be empty',
  'password must have at least 10 characters',
  'label must have at most 255 characters',
  'amount must be a number',
  'amount must not be negative',
  'amount must be greater than 0',
  'amount has more decimals than JPY has',
  'amount has more decimals than USD has',
  'amount must have at most 12 digits before the decimal point',
  'amount must be at least 5.00 USD',
  'amount must be at most 500.00 USD',
  'amount is above the daily limit of the store: 12.50 USD left',
  'amount is above the monthly limit of the store: 12.50 USD left',
  'pin_limit.amount must be an amount in USD, such as "50.00"',
  'min_amount must not be above max_amount',
  'expires_after_seconds must be an integer',
  'expires_after_seconds must be at least 60',
  'currency must be an ISO 4217 code in upper case, such as USD',
  'currency is not known',
  'currency EUR cannot be converted to USD',
  'to must not be the same currency as from',
  'rate must be above zero, with at most eight digits before the decimal point and four after it, such as "1.0842"',
  'time_zone must be a name such as Europe/Paris',
  'webhook_url must be an absolute URL',
  'webhook_url must begin with http:// or https://',
  'webhook_url must begin with https://',
  'webhook_url must be a public address',
  'webhook_url must use an allowed port: 443',
  'expires_at must be a time in the future, such as 2030-01-31 08:00:00',
  'to must not be before from',
  'from must be at most 91 days before to',
  'expires_at must be a time in the next 366 days',
  'email must be one email address that mail servers accept',
  'phone must be an international number such as +15550100001',
  'phone belongs to another wallet',
  'email belongs to another person',
  'pin is too easy to guess. Avoid repeated digits, sequences such as 1234, years and common PINs.',
  'current is not your password',
  'new must differ from your current password',
  'code is wrong or was used before',
  'pin is wrong',
  `password ${passwordProblem('password12', '')}`,
  `password ${passwordProblem('ada@example.com', 'ada@example.com')}`,
]

const patternMessages = [...PATTERN_MESSAGES.values()].filter(
  (message) => !NEVER_SEEN.includes(message),
)

it.each(LOCALES)('every message about a field of a form is a sentence in %s', async (locale) => {
  const { words } = await loadWalletWords[locale]()
  const language = { translate: createTranslate<typeof english>(locale, words), locale }
  for (const message of [...MESSAGES, ...patternMessages.map((text) => `field ${text}`)]) {
    const sentence = fieldText(message, language)
    expect(sentence, message).not.toBe(words.field_invalid)
    expect(sentence, message).not.toMatch(/[{}]|undefined/)
  }
  // Zero can be valid where a negative amount is not.
  const negative = fieldText('refund_fee must not be negative', language)
  expect(negative).toBe(fieldText('refund_fee must be a number', language))
  // An unknown message is never shown in English.
  expect(fieldText('field is odd', language)).toBe(words.field_invalid)
})

it('keeps the amounts and limits of the message, as the language writes them', async () => {
  const { words } = await loadWalletWords.fr()
  const language = {
    translate: createTranslate<typeof english>('fr', words),
    locale: 'fr' as const,
  }
  expect(fieldText('amount must be at least 1250.50 USD', language)).toBe(
    'Saisissez 1\u202f250,50\u00a0USD ou plus.',
  )
  expect(fieldText('amount has more decimals than JPY has', language)).toContain('JPY')
  expect(fieldText('from must be at most 91 days before to', language)).toContain('92')
  expect(fieldText('label must have at most 255 characters', language)).toContain('255')
})
