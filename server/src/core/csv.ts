/** Spreadsheets take a cell that begins with one of these for a formula, some also where it is written wide. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * One line of a CSV file as RFC 4180 has it. Numbers of ours begin with a digit; a text that a
 * spreadsheet would compute is kept as text by an apostrophe. Line ends within a cell become plain
 * ones, so that CRLF always ends a row.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? '' : csvCell(cell))).join(',')}\r\n`
}

function csvCell(text: string): string {
  const safe = (FORMULA.test(text) ? `'${text}` : text).replace(/\r\n?/g, '\n')
  // Some spreadsheets part cells at a semicolon or a tab.
  return /[",;\t\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
