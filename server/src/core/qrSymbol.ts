import { encodeQR } from 'qr'

const QUIET_ZONE = 4

/** Of one side, with the white around it that scanners need. */
export const QR_MODULES = 21 + 2 * QUIET_ZONE

/** One path of horizontal runs: a third of the bytes of a square per module, and no seams. */
export function qrPath(code: string): string {
  return qrRows(code)
    .flatMap((row, y) => darkRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
}

/** Every module, dark or not. Runs in a browser as well. */
export function qrRows(code: string): boolean[][] {
  // Only digits may reach the markup, and 27 of them are what the smallest symbol holds.
  if (!/^[0-9]{27}$/.test(code)) throw new RangeError('a QR code has 27 digits')
  const rows = encodeQR(code, 'raw', {
    version: 1,
    ecc: 'quartile',
    encoding: 'numeric',
    border: QUIET_ZONE,
  })
  if (rows.length !== QR_MODULES || rows.some((row) => row.length !== QR_MODULES)) {
    throw new Error('the QR encoder left the smallest symbol')
  }
  return rows
}

export function darkRuns(row: readonly boolean[]): [from: number, length: number][] {
  const runs: [from: number, length: number][] = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (!dark) return
    if (last !== undefined && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  })
  return runs
}
