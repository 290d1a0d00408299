import { execFileSync } from 'node:child_process'
import decodeQR from 'qr/decode.js'
import { pixelsOf } from './pixels.ts'

/** The sizes of the pages of a PDF in whole millimetres, such as `105 x 148`. */
export function pageSizes(pdf: Buffer): string[] {
  const boxes = pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)
  const mm = (points: string | undefined) => Math.round((Number(points) / 72) * 25.4)
  return [...boxes].map(([, width, height]) => `${mm(width)} x ${mm(height)}`)
}

/** Draws the first page of a PDF and reads the QR code in the picture. */
export function decodePdf(pdf: Buffer): { text: string; png: Buffer } {
  const args = ['-png', '-r', '120', '-singlefile', '-']
  const png = execFileSync('pdftoppm', args, { input: pdf, maxBuffer: 64 * 1024 * 1024 })
  return { text: decodeQR(pixelsOf(png), { timeLimit: 20_000 }), png }
}
