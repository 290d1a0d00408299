/**
 * Where a spreadsheet may start a cell: at the start of the text, and after every character that may end a cell or row. A
 * program configured for another separator than the comma ignores our quotes. Commas need no entry: such a program treats
 * them as text, and all others respect the quotes.
 */
const CELL_START = '(^|[;\\t\\n\\v\\f\\u0085\\u2028\\u2029])'
/** Some spreadsheets skip these characters before a cell's text. None of them starts a cell, so the search is linear. */
const SKIPPED = '(?:"|[^\\S\\t\\r\\n\\v\\f\\u2028\\u2029])*'
/** Spreadsheets treat a cell that begins with one of these as a formula. Some also accept the fullwidth forms. */
const FORMULA = '[=+\\-@＝＋－＠]'
const FORMULA_CELL = new RegExp(`${CELL_START}(?=${SKIPPED}${FORMULA})`, 'g')

/**
 * Formats one line of a CSV file (RFC 4180). Adds an apostrophe to text that a spreadsheet would run as a formula. Our
 * own numbers begin with a digit, so they don't change. Line breaks within a cell become LF, so that CRLF always ends
 * a row.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : csvCell(cell))).join(',')}\r\n`
}

function csvCell(text: string): string {
  const safe = text
    .replace(/\r\n?/g, '\n')
    .replace(FORMULA_CELL, "$1'")
    // Harmless by now, but OWASP advises that no cell begins with a tab or line break.
    .replace(/^(?=[\t\n])/, "'")
  return /[",;\t\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
