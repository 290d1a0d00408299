import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { expect } from 'vitest'
import { pixelsOf } from './pixels.ts'

/** The sizes of the pages of a PDF in whole millimetres, such as `105 x 148`. */
export function pageSizes(pdf: Buffer): string[] {
  const boxes = pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)
  const mm = (points: string | undefined) => Math.round((Number(points) / 72) * 25.4)
  return [...boxes].map(([, width, height]) => `${mm(width)} x ${mm(height)}`)
}

/** Draws a PDF with the viewer of the browser and reads the QR code in the picture. */
export async function decodePdf(
  browser: Browser,
  pdf: Buffer,
): Promise<{ text: string; png: Buffer }> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-pdf-'))
  const file = join(folder, 'stand.pdf')
  writeFileSync(file, pdf)
  const page = await browser.newPage({ viewport: { width: 700, height: 980 } })
  await page.goto(`file://${file}#toolbar=0&navpanes=0&view=Fit`)
  let png: Buffer = Buffer.alloc(0)
  const read = async () => {
    png = await page.screenshot()
    try {
      return decodeQR(pixelsOf(png), { timeLimit: 5_000 })
    } catch {
      return null
    }
  }
  // The viewer has no event for a drawn page.
  let text: string | null = null
  await expect.poll(async () => (text = await read()), { timeout: 15_000 }).not.toBeNull()
  await page.close()
  rmSync(folder, { recursive: true })
  return { text: text!, png }
}
