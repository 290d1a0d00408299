// Colours of the fixed 256-colour cube: themes change only the first sixteen.
const BLACK_ON_WHITE = '\x1b[38;5;16;48;5;231m'
const RESET = '\x1b[0m'

/** Two modules, upper and lower, in one character: a character is about twice as high as wide. */
const HALVES: Record<string, string> = { '00': ' ', '10': '▀', '01': '▄', '11': '█' }

/**
 * Draws the modules of a QR code for a terminal; true is dark. With colours it is black on white in any theme. Without
 * colours, as in a file, the dark modules are blocks in the text colour.
 */
export function qrText(
  rows: readonly (readonly boolean[])[],
  { colours }: { colours: boolean },
): string {
  const lines: string[] = []
  for (let y = 0; y < rows.length; y += 2) {
    const [upper, lower] = [rows[y]!, rows[y + 1] ?? []]
    const line = upper.map((dark, x) => HALVES[`${dark ? 1 : 0}${lower[x] ? 1 : 0}`]).join('')
    lines.push(colours ? `${BLACK_ON_WHITE}${line}${RESET}` : line)
  }
  return lines.join('\n')
}
