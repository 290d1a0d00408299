/** A value as the database reads it. */
export function written(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return writtenList(value)
  if (value instanceof Date) return writtenTime(value)
  if (Buffer.isBuffer(value)) return value
  if (typeof value === 'object') {
    throw new TypeError(
      'a value for the database is a text, number, boolean, time, bytes or a list',
    )
  }
  return String(value)
}

/** Lists have long runs of the same: one currency, one time. */
function writtenList(list: readonly unknown[]): string {
  const parts: string[] = []
  let last: unknown
  let text = 'NULL'
  for (const element of list) {
    if (element !== last || parts.length === 0) text = writtenElement(element)
    last = element
    parts.push(text)
  }
  return `{${parts.join(',')}}`
}

function writtenElement(element: unknown): string {
  if (typeof element === 'string') return quoted(element)
  if (element === null || element === undefined) return 'NULL'
  if (element instanceof Date) return `"${writtenTime(element)}"`
  if (Buffer.isBuffer(element)) return `"\\\\x${element.toString('hex')}"`
  if (typeof element === 'object') {
    throw new TypeError(
      'a list for the database holds texts, numbers, booleans, times, bytes and nulls',
    )
  }
  return String(element)
}

/** The database takes no sign before a year, and has no year zero. */
function writtenTime(time: Date): string {
  const text = time.toISOString()
  const year = time.getUTCFullYear()
  if (year > 0 && year < 10_000) return text
  const rest = text.slice(text.indexOf('-', 1))
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

/** As JSON writes it, which is quicker, unless JSON escapes more than quotes and backslashes. */
function quoted(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`
  const json = JSON.stringify(text)
  return /\\[^"\\]/.test(json) ? `"${text.replace(/["\\]/g, '\\$&')}"` : json
}
