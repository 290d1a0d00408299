/** Encodes a value in PostgreSQL's text format. A Buffer is sent in the binary format. */
export function encodeParameter(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return encodeArray(value)
  if (value instanceof Date) return encodeTime(value)
  if (Buffer.isBuffer(value)) return value
  if (typeof value === 'object') {
    throw new TypeError(
      'A query parameter must be a string, number, bigint, boolean, Date, Buffer, null or an array',
    )
  }
  return String(value)
}

/** Encodes each run of equal elements once: a batch often has one currency and one time. */
function encodeArray(array: readonly unknown[]): string {
  const parts: string[] = []
  let last: unknown
  let text = 'NULL'
  for (const element of array) {
    if (element !== last || parts.length === 0) text = encodeElement(element)
    last = element
    parts.push(text)
  }
  return `{${parts.join(',')}}`
}

function encodeElement(element: unknown): string {
  if (typeof element === 'string') return quote(element)
  if (element === null || element === undefined) return 'NULL'
  if (element instanceof Date) return `"${encodeTime(element)}"`
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString('hex')}"`
  if (typeof element === 'object') {
    throw new TypeError(
      'An array parameter must contain strings, numbers, bigints, booleans, Dates, Buffers and nulls',
    )
  }
  return String(element)
}

/** PostgreSQL accepts no sign before a year and has no year zero. */
function encodeTime(time: Date): string {
  const text = time.toISOString()
  const year = time.getUTCFullYear()
  if (year > 0 && year < 10_000) return text
  const rest = text.slice(text.indexOf('-', 1))
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

/** JSON.stringify is faster, but usable only if each backslash of its output precedes a quote or a backslash. */
function quote(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`
  const json = JSON.stringify(text)
  return /\\[^"\\]/.test(json) ? `"${text.replace(/["\\]/g, '\\$&')}"` : json
}
