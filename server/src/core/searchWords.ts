import type { StoreAndMode } from './ids.ts'
import type { Payment } from './payment.ts'
import type { Person } from './person.ts'
import { normalizePhone } from './text.ts'

// Migrations 021 and 028 filled the words of older rows with the same folding and separators. A change here needs a new
// migration.
const MARKS = /[\u0300-\u036f]/g
/** Spaces and punctuation. Everything that has a meaning in the text form of a tsquery is one of them. */
const SEPARATORS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a search can contain any character.
  /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/
const MAX_WORDS = 60
const MAX_WORD_LENGTH = 60

/** Returns the distinct words of the texts, in lower case and without accents. */
export function searchWords(...texts: readonly (string | null | undefined)[]): string[] {
  const text = texts.filter(Boolean).join(' ')
  const folded = text.normalize('NFKD').toLowerCase().replace(MARKS, '')
  const words = folded.split(SEPARATORS).filter(Boolean)
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_LENGTH)))].slice(0, MAX_WORDS)
}

/** The texts of a payment that can be searched. */
type PaymentTexts = Pick<Payment, 'referenceId' | 'referenceNote' | 'client'>

export function paymentWords({ referenceId, referenceNote, client }: PaymentTexts): string[] {
  if (referenceId === null && referenceNote === null && client === null) return []
  return searchWords(
    referenceId,
    client?.name,
    client?.email,
    client?.phone_dial_code,
    client?.phone,
    client?.phone.replaceAll(/\D/g, ''),
    referenceNote,
  )
}

/** The words of a payment as they are stored; null if it has none. */
export const wordsText = (texts: PaymentTexts): string | null =>
  paymentWords(texts).join(' ') || null

type WalletTexts = { readonly [field in 'name' | 'email' | 'phone' | 'publicId']: string }

export const walletWords = ({ name, email, phone, publicId }: WalletTexts): string[] =>
  searchWords(name, email, phone, publicId)

export const personWords = ({ name, email }: Pick<Person, 'name' | 'email'>): string[] =>
  searchWords(name, email)

/** The digits of a text that may be a phone number; null for other texts. */
function asPhoneDigits(text: string): string | null {
  const digits = text.replace(/[\s.()+\p{Dash_Punctuation}]/gu, '')
  return /^\d{1,60}$/.test(digits) ? digits : null
}

const withoutInternationalPrefix = (digits: string) => digits.replace(/^00/, '') || digits

/** The words of a search for wallets. A phone number is one word, with or without spaces and `+` or `00`. */
export function walletSearchWords(text: string): string[] {
  const digits = asPhoneDigits(text)
  return digits === null ? searchWords(text) : [withoutInternationalPrefix(digits)]
}

/**
 * The searches for payments that a text stands for. The first is for its words. If the text may be a phone number, there is one for
 * the number as one word, and one without its leading `00`. A number with a point is an amount, and a short number without
 * spaces is a reference, such as `007`. A text without words has no searches.
 */
export function paymentSearches(text: string): string[][] {
  const words = searchWords(text)
  if (words.length === 0) return []
  const digits = asPhoneDigits(text)
  if (digits === null || text.includes('.')) return [words]
  if (words.length === 1 && normalizePhone(text) === null) return [words]
  const searches = new Set([words.join(' '), digits, withoutInternationalPrefix(digits)])
  return [...searches].map((search) => search.split(' '))
}

/** The beginning of every word of a payment in the index, so that the index finds only the payments of one store and mode. */
export const wordScope = ({ storeId, mode }: StoreAndMode): string => `${storeId}${mode[0]}:`

/** A tsquery for rows in which each word is the beginning of some word. */
export const prefixQuery = (words: readonly string[], scope = ''): string =>
  words.map((word) => `'${scope}${word}':*`).join(' & ')
