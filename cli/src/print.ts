type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Prints JSON, or lines and tables. */
export function print(
  value: unknown,
  { json, columns }: { json: boolean; columns: readonly string[] | null },
): void {
  const output = json
    ? escapeControls(JSON.stringify(value, null, 2), NOT_ESCAPED_BY_JSON)
    : formatReadable(value, columns)
  process.stdout.write(`${output}\n`)
}

/** Prints a text of one or more lines, or an object as one line of JSON. */
export function printLine(line: string | object): void {
  process.stdout.write(`${typeof line === 'string' ? escapeLines(line) : formatJson(line)}\n`)
}

/** Prints text with escape sequences, such as colours. Never pass untrusted text. */
export function printColoured(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** One line of JSON. */
export const formatJson = (value: object): string =>
  escapeControls(JSON.stringify(value), NOT_ESCAPED_BY_JSON)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const CONTROLS = /[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const CONTROLS_IN_LINES = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g
const NOT_ESCAPED_BY_JSON = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g

/** Escapes control characters, which a terminal would execute, and line breaks. For untrusted text. */
export function escapeControls(text: string, controls = CONTROLS): string {
  return text.replace(controls, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Like `escapeControls`, but keeps tabs and line ends. */
export const escapeLines = (text: string): string => escapeControls(text, CONTROLS_IN_LINES)

let lastProgress = ''

/** Shows progress in one line that the next call overwrites, if standard error is a terminal. */
export function showProgress(text: string): void {
  if (!process.stderr.isTTY || text === lastProgress) return
  lastProgress = text
  process.stderr.write(`\r\x1b[K${escapeControls(text)}`)
}

function formatReadable(value: unknown, columns: readonly string[] | null): string {
  if (!isRow(value)) return formatValue(value)
  const entries = Object.entries(value).filter(([name]) => name !== 'next_cursor')
  const lists = entries.flatMap(([, field]) => (Array.isArray(field) ? [field as Row[]] : []))
  // Print a page as its rows, and the cursor only if there are more.
  if (lists.length === 1 && (entries.length === 1 || 'next_cursor' in value)) {
    const more = value.next_cursor ? [`More: --cursor ${formatValue(value.next_cursor)}`] : []
    return [formatTable(lists[0]!, columns), ...more].join('\n')
  }
  if (entries.length > 1 && lists.length === entries.length) {
    return entries
      .map(([name], index) => `${escapeControls(name)}:\n${formatTable(lists[index]!, null)}`)
      .join('\n\n')
  }
  const lines = entries
    .flatMap(expandRow)
    .map(([name, field]) => [escapeControls(name), field] as const)
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, field]) => `${name.padEnd(width)}  ${formatValue(field)}`).join('\n')
}

/** Gives each field of an object its own line, such as `activation.code`. */
function expandRow([name, field]: [string, unknown]): [string, unknown][] {
  if (!isRow(field) || Object.keys(field).length === 0) return [[name, field]]
  return Object.entries(field).map(([inner, value]) => [`${name}.${inner}`, value])
}

function formatTable(rows: readonly Row[], columns: readonly string[] | null): string {
  if (rows.length === 0) return 'None.'
  const names = columns ?? Object.keys(rows[0]!)
  const cell = (row: Row, name: string) =>
    name === 'changes' ? formatChanges(row) : formatValue(row[name])
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row, name)))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Returns what an audit log entry changed. */
function formatChanges({ before, after }: Row): string {
  const [old, now] = [before, after].map((side) => (isRow(side) ? side : {})) as [Row, Row]
  const names = Object.keys({ ...old, ...now }).filter(
    (name) => formatValue(old[name]) !== formatValue(now[name]),
  )
  if (before === null) return formatValue(now)
  return (
    names
      .map((name) => `${name} ${formatValue(old[name])} -> ${formatValue(now[name])}`)
      .join(', ') || '-'
  )
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || '-'
  if (isRow(value)) {
    const { currency, balance, ...others } = value
    if (currency && balance && Object.keys(others).length === 0) {
      return `${formatValue(balance)} ${formatValue(currency)}`
    }
    const fields = Object.entries(value)
    return (
      fields.map(([name, field]) => `${escapeControls(name)} ${formatValue(field)}`).join(' ') ||
      '-'
    )
  }
  return escapeControls(String(value))
}
