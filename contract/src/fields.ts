import { LOCALES } from '@florin/shared/locales.js'
import Type, { type TSchema } from 'typebox'
import { TEXT_PATTERN } from './values.ts'

// A pattern says what is right; this says it to people. Patterns are compared by their text.
export const PATTERN_MESSAGES = new Map<string, string>()

function pattern(source: string, message: string): string {
  PATTERN_MESSAGES.set(source, message)
  return source
}

const STORABLE = pattern(TEXT_PATTERN, 'contains characters that cannot be stored')
const NOT_BLANK = pattern(
  '^(?=[^]*[^\\s])[^\\u0000\\ud800-\\udfff]*$',
  'must not be empty and must not contain characters that cannot be stored',
)
const ADDRESS =
  '[^@\\s\\u0000\\ud800-\\udfff]+@[^@\\s\\u0000\\ud800-\\udfff]+\\.[^@\\s.\\u0000\\ud800-\\udfff]+'
const EMAIL = pattern(`^${ADDRESS}$`, 'must be an e-mail address')
const EMAIL_OR_NOTHING = pattern(`^(${ADDRESS})?$`, 'must be an e-mail address, or empty')
const CURRENCY = pattern('^[A-Z]{3}$', 'must be an ISO 4217 code in upper case, such as USD')
const DIAL_CODE = pattern('^\\+?[0-9]{1,4}$', 'must be 1 to 4 digits, with or without a plus sign')
const DECIMAL = pattern(
  '^[0-9]+(\\.[0-9]+)?$',
  'must be a decimal number in a string, such as "12.50"',
)
const PIN = pattern('^[0-9]{4,8}$', 'must be 4 to 8 digits')
const HTTP_URL = pattern(
  '^https?://[^\\s\\u0000\\ud800-\\udfff]+$',
  'must be an http or https address',
)

const HTTPS_ORIGIN = pattern(
  '^https://[a-z0-9.-]+(:[0-9]{1,5})?$',
  'must be the origin of a site, such as https://shop.example.com',
)

export const text = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK })
export const note = (maxLength: number) => Type.String({ maxLength, pattern: STORABLE })
export const email = () => Type.String({ maxLength: 254, pattern: EMAIL })
/** Empty where there is none. */
export const emailOrNothing = () => Type.String({ maxLength: 254, pattern: EMAIL_OR_NOTHING })
export const currency = () => Type.String({ pattern: CURRENCY })
export const dialCode = () => Type.String({ pattern: DIAL_CODE })
export const decimal = () => Type.String({ maxLength: 20, pattern: DECIMAL, examples: ['12.50'] })
export const pin = () => Type.String({ pattern: PIN })
/** Long enough that guessing is hopeless, and whatever a person can type. */
export const password = () => Type.String({ minLength: 10, maxLength: 200, pattern: STORABLE })
export const httpUrl = () => Type.String({ maxLength: 2048, pattern: HTTP_URL })
/** Nothing but letters, digits, dots and dashes, as it is written into the page's policy. */
export const httpsOrigin = () => Type.String({ maxLength: 255, pattern: HTTPS_ORIGIN })
export const mode = () => Type.Enum(['live', 'sandbox'], { description: 'Live or sandbox.' })
export const locale = () => Type.Enum(LOCALES)

// What answers are made of; each says what it stands for.
export const wireTime = (description = 'UTC.') =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$', description })
export const money = (description = 'A decimal string.') =>
  Type.String({ pattern: '^-?\\d+\\.\\d{2,3}$', examples: ['12.50'], description })
export const shown = (description: string) => Type.String({ description })
export const whole = (description: string) => Type.Integer({ description })
export const yesOrNo = (description: string) => Type.Boolean({ description })
export const currencyShown = (description = 'ISO 4217 code.') => shown(description)
export const nextCursor = () => nullable(shown('Where the next page begins; null on the last.'))

export const listOf = <T extends TSchema>(item: T) =>
  Type.Array(item, { description: 'All of them.' })

// What lists are asked by.
export const limitAsked = () =>
  Type.Optional(Type.String({ description: 'How many, 1 to 100; 20 where absent.' }))
export const cursorAsked = () =>
  Type.Optional(Type.String({ description: '`next_cursor` of the page before.' }))
export const fromAsked = () =>
  Type.Optional(Type.String({ description: 'Inclusive; UTC or ISO 8601.' }))
export const toAsked = () =>
  Type.Optional(Type.String({ description: 'Exclusive; UTC or ISO 8601.' }))

/** The same schema, or null: a list of types instead of a union, so that errors stay simple. */
export function nullable<T extends TSchema>(schema: T): T {
  const { type, ...rest } = schema as unknown as { type: string; enum?: unknown[] }
  const values = rest.enum ? { enum: [...rest.enum, null] } : {}
  return { ...rest, ...values, ...(type ? { type: [type, 'null'] } : {}) } as unknown as T
}

/** May be left out, or null, which means the same. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
