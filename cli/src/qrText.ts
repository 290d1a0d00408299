import { qrRows } from '@florin/server/core/qrSymbol.js'

// Those of the fixed cube: the first sixteen are whatever the theme makes of them.
const BLACK_ON_WHITE = '\x1b[38;5;16;48;5;231m'
const RESET = '\x1b[0m'

/** Upper and lower module, as one character that is about as wide as it is half high. */
const HALVES: Record<string, string> = { '00': ' ', '10': '▀', '01': '▄', '11': '█' }

/**
 * The code to be scanned from a terminal, with the white around it that scanners need. In colours it is black
 * on white whatever the terminal's are; without, the blocks are dark, as on paper.
 */
export function qrText(code: string, { colours }: { colours: boolean }): string {
  const rows = qrRows(code)
  const lines: string[] = []
  for (let y = 0; y < rows.length; y += 2) {
    const [upper, lower] = [rows[y]!, rows[y + 1] ?? []]
    const line = upper.map((dark, x) => HALVES[`${dark ? 1 : 0}${lower[x] ? 1 : 0}`]).join('')
    lines.push(colours ? `${BLACK_ON_WHITE}${line}${RESET}` : line)
  }
  return lines.join('\n')
}
