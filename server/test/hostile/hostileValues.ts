const HEADER_LENGTH = 14_000
const URL_LENGTH = 12_000
const FIELD_LENGTH = 200_000

/** Fragments that may slow down a parser when they are repeated. */
const PARTS = [
  ' ',
  '\t',
  ',',
  ';',
  '=',
  '\\',
  '(',
  '%',
  '/',
  '.',
  ':',
  '@',
  '0',
  'a,',
  'a;q=1,',
  '%20',
  '::',
]

const repeatTo = (part: string, length: number) => part.repeat(Math.floor(length / part.length))

/** Between two letters, because values are often trimmed. */
export const HEADER_VALUES: readonly string[] = PARTS.map(
  (part) => `a${repeatTo(part, HEADER_LENGTH)}b`,
)

/** Encoded for a path or a query. */
export const URL_VALUES: readonly string[] = [
  ...PARTS.map((part) => `a${repeatTo(encodeURIComponent(part), URL_LENGTH)}b`),
  repeatTo('9', URL_LENGTH),
  repeatTo('%', URL_LENGTH),
  repeatTo('%CC%81', URL_LENGTH),
]

/** Whole query strings. */
export const QUERIES: readonly string[] = [
  repeatTo('&', URL_LENGTH),
  repeatTo('=', URL_LENGTH),
  repeatTo('a&', URL_LENGTH),
  repeatTo('a=1&', URL_LENGTH),
  repeatTo('a[b]=1&', URL_LENGTH),
  Array.from({ length: 1500 }, (_, n) => `k${n}=`).join('&'),
]

export const COOKIES: readonly string[] = [
  repeatTo('a=b; ', HEADER_LENGTH),
  repeatTo('=;', HEADER_LENGTH),
  repeatTo('%', HEADER_LENGTH),
  `__Host-florin_person=${repeatTo('%41', HEADER_LENGTH)}`,
  repeatTo('__Host-florin_person=a; ', HEADER_LENGTH),
  repeatTo('__Host-florin_wallet=%ff; ', HEADER_LENGTH),
]

const list = (item: string) =>
  `[${Array(Math.floor(FIELD_LENGTH / (item.length + 1)))
    .fill(item)
    .join()}]`
const nested = (open: string, close: string) => {
  const depth = Math.floor(FIELD_LENGTH / (open.length + close.length))
  return open.repeat(depth) + (open.endsWith(':') ? '0' : '') + close.repeat(depth)
}
const text = (part: string) => `"a${repeatTo(part, FIELD_LENGTH)}b"`

/** JSON values of almost the maximum body size, to replace a field. */
export const FIELD_VALUES: readonly string[] = [
  ...[' ', 'a@', 'a.', '\\u0301'].map(text),
  ...['{}', '""'].map(list),
  nested('[', ']'),
  repeatTo('9', FIELD_LENGTH),
]

/** Whole bodies, valid JSON or not. */
export const BODIES: readonly string[] = [
  ...FIELD_VALUES,
  ...['[]', '1', 'null', '1e400', '0.1234567890123456789', '{"a":1}'].map(list),
  nested('{"a":', '}'),
  `{${Array.from({ length: 18_000 }, (_, n) => `"k${n}":0`).join()}}`,
  `{${Array(25_000).fill('"a":0').join()}}`,
  `0.${repeatTo('0', FIELD_LENGTH)}1`,
  `1e${repeatTo('9', FIELD_LENGTH)}`,
  repeatTo(' ', FIELD_LENGTH),
  repeatTo('[', FIELD_LENGTH),
  repeatTo('{"a":', FIELD_LENGTH),
  repeatTo('"', FIELD_LENGTH),
  repeatTo('1,', FIELD_LENGTH),
  `"${repeatTo('\\', FIELD_LENGTH)}`,
]
