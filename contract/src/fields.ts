import { LOCALES } from '@florin/shared/locales.js'
import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox'

/** The message for each pattern that requests are validated with, by the pattern's source. */
export const PATTERN_MESSAGES = new Map<string, string>()

function pattern(source: string, message: string): string {
  PATTERN_MESSAGES.set(source, message)
  return source
}

/** Text that PostgreSQL can store: no NUL, no lone surrogates. Needs the unicode flag, which Ajv sets by default. */
export const TEXT_PATTERN = '^[^\\u0000\\ud800-\\udfff]*$'
const STORABLE = pattern(TEXT_PATTERN, 'contains characters that cannot be stored')
const NOT_BLANK = pattern(
  '^(?=[^]*[^\\s])[^\\u0000\\ud800-\\udfff]*$',
  'must not be empty and must not contain characters that cannot be stored',
)
const ADDRESS =
  '[^@\\s\\u0000\\ud800-\\udfff]+@[^@\\s\\u0000\\ud800-\\udfff]+\\.[^@\\s.\\u0000\\ud800-\\udfff]+'
const EMAIL = pattern(`^${ADDRESS}$`, 'must be an email address')
const EMAIL_OR_EMPTY = pattern(`^(${ADDRESS})?$`, 'must be an email address, or empty')
const CURRENCY = pattern('^[A-Z]{3}$', 'must be an ISO 4217 code in upper case, such as USD')
const DIAL_CODE = pattern('^\\+?[0-9]{1,4}$', 'must be 1 to 4 digits, with or without a plus sign')
const DECIMAL = pattern(
  '^[0-9]+(\\.[0-9]+)?$',
  'must be a decimal number in a string, such as "12.50"',
)
const PIN = pattern('^[0-9]{4,8}$', 'must be 4 to 8 digits')
const HTTP_URL = pattern('^https?://[^\\s\\u0000\\ud800-\\udfff]+$', 'must be an http or https URL')

const BASE64URL = pattern('^[A-Za-z0-9_-]*$', 'must be encoded as base64url')
const HTTPS_ORIGIN = pattern(
  '^https://[a-z0-9.-]+(:[0-9]{1,5})?$',
  'must be the origin of a site, such as https://shop.example.com',
)

export const described = <T extends TSchema>(schema: T, description: string): T => ({
  ...schema,
  description,
})

/** The same schema, or null. Uses a list of types instead of a union, so that errors stay simple. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values, ...rest }: Keywords = schema
  return Type.Unsafe({
    ...rest,
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(values === undefined ? {} : { enum: [...values, null] }),
  })
}

type Keywords = { readonly type?: string; readonly enum?: readonly unknown[] }

/** May be absent or null, which mean the same, except in a change that removes a value with null. */
export const optional = <T extends TSchema>(schema: T): TOptional<TUnsafe<Static<T> | null>> =>
  Type.Optional(nullable(schema))

// Request fields.
export const text = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK })
export const note = (maxLength: number) => Type.String({ maxLength, pattern: STORABLE })
export const email = () => Type.String({ maxLength: 254, pattern: EMAIL })
export const emailOrEmpty = () => Type.String({ maxLength: 254, pattern: EMAIL_OR_EMPTY })
export const currency = () => Type.String({ pattern: CURRENCY })
export const dialCode = () => Type.String({ pattern: DIAL_CODE })
export const decimal = () => Type.String({ maxLength: 20, pattern: DECIMAL, examples: ['12.50'] })
export const pin = () => Type.String({ pattern: PIN })
/** Long enough to resist guessing. Any character that can be typed is allowed. The server also refuses common passwords. */
export const password = () => Type.String({ minLength: 10, maxLength: 200, pattern: STORABLE })
export const httpUrl = () => Type.String({ maxLength: 2048, pattern: HTTP_URL })
/** Only lower-case letters, digits, dots, dashes and a port, because it is copied into the Content-Security-Policy. */
export const httpsOrigin = () => Type.String({ maxLength: 255, pattern: HTTPS_ORIGIN })
export const base64url = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: BASE64URL, description })
export const mode = () => Type.Enum(['live', 'sandbox'], { description: 'Live or sandbox.' })
export const locale = () => Type.Enum(LOCALES)

// Response fields. Each has a description.
export const string = (description: string) => Type.String({ description })
export const integer = (description: string) => Type.Integer({ description })
export const boolean = (description: string) => Type.Boolean({ description })
export const wireTime = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$', description })
export const money = (description: string) =>
  Type.String({ pattern: '^-?\\d+\\.\\d{2,3}$', examples: ['12.50'], description })
export const currencyCode = (description = 'ISO 4217 code.') => string(description)
export const nextCursor = () =>
  nullable(string('Pass it as `cursor` to get the next page. Null on the last page.'))
export const archivedBefore = () =>
  nullable(
    wireTime(
      'Time before which transfers of payments are archived and not listed, UTC. Null if nothing is missing.',
    ),
  )
/** A JSON object with any keys. */
export const openObject = (description: string) =>
  Type.Unsafe<unknown>(Type.Object({}, { description }))
/** A JSON object with any keys, or null. */
export const openObjectOrNull = (description: string) =>
  Type.Unsafe<unknown>(nullable(Type.Object({}, { description })))

export const listOf = <T extends TSchema>(item: T, description: string) =>
  Type.Array(item, { description })
export const timeZone = () => string("IANA name of the store's time zone.")

// Query parameters.

/** A whole number. The server parses it before validation. `unit` is part of the error message. */
export const integerQuery = (options: {
  readonly minimum: number
  readonly maximum: number
  readonly default?: number
  readonly unit?: string
  readonly description: string
}) => Type.Optional(Type.Integer(options))
export const limitQuery = () =>
  integerQuery({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Maximum number of items per page.',
  })
export const cursorQuery = () => Type.Optional(string('`next_cursor` of the previous page.'))
export const fromQuery = () =>
  Type.Optional(
    string('Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.'),
  )
export const toQuery = () =>
  Type.Optional(string('End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.'))
