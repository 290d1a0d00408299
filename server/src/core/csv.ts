/**
 * Where a spreadsheet may see a cell begin: at the start, and after whatever it may take for the end of a cell or row. A
 * program that is set to another separator than the comma does not heed our quotes. Commas are left alone: such a program
 * sees nothing special in them, and the others heed the quotes.
 */
const CELL_START = '(^|[;\\t\\n\\v\\f\\u0085\\u2028\\u2029])'
/** Some skip spaces and quotes before a cell's text. None of these starts a cell, so that no character is looked at twice. */
const SKIPPED = '(?:"|[^\\S\\t\\r\\n\\v\\f\\u2028\\u2029])*'
/** Spreadsheets take a cell that begins with one of these for a formula. Some also accept the fullwidth ones. */
const FORMULA = '[=+\\-@＝＋－＠]'
const FORMULA_CELL = new RegExp(`${CELL_START}(?=${SKIPPED}${FORMULA})`, 'g')

/**
 * One line of a CSV file as RFC 4180 has it. Numbers of ours begin with a digit. An apostrophe keeps as text what a
 * spreadsheet would compute. Line breaks within a cell become plain ones, so that CRLF always ends a row.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : csvCell(cell))).join(',')}\r\n`
}

function csvCell(text: string): string {
  const safe = text
    .replace(/\r\n?/g, '\n')
    .replace(FORMULA_CELL, "$1'")
    // Some drop white space at the start before they look.
    .replace(/^(?=[\t\n])/, "'")
  return /[",;\t\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
