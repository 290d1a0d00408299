import { encodeQR } from 'qr'

const QUIET_ZONE = 4

/** Modules per side, with the quiet zone that scanners need. */
export const QR_MODULES = 21 + 2 * QUIET_ZONE

/** One path of horizontal runs: half the size of a square per module, and without seams. */
export function rowsPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => darkRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
}

/** The modules by row; true is dark. Also runs in browsers. */
export function qrRows(code: string): boolean[][] {
  // The smallest symbol holds 27 digits with this error correction.
  if (!/^[0-9]{27}$/.test(code)) throw new RangeError('a QR code must have 27 digits')
  const rows = encodeQR(code, 'raw', {
    version: 1,
    ecc: 'quartile',
    encoding: 'numeric',
    border: QUIET_ZONE,
  })
  if (rows.length !== QR_MODULES || rows.some((row) => row.length !== QR_MODULES)) {
    throw new Error('the QR encoder chose a larger symbol')
  }
  return rows
}

/** The modules of a URL or other text, in the smallest symbol that holds it. */
export function textQrRows(text: string): boolean[][] {
  return encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
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

/** A complete SVG image of any text. Black on white in every theme, because scanners need the contrast. */
export function textQrSvg(text: string): string {
  const rows = textQrRows(text)
  const size = rows.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${rowsPath(rows)}"/></svg>`
}
