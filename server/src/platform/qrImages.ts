import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { PNG } from 'pngjs'
import { darkRuns, QR_MODULES as MODULES, qrPath, qrRows } from '../core/qrSymbol.ts'
import { escapeHtml } from '../core/text.ts'

/** Below the minimum a module is less than a pixel. Above the maximum the vector image is the better choice. */
export const QR_MIN_SIZE_PX = MODULES
export const QR_MAX_SIZE_PX = 4096

const BLACK = 0
const WHITE = 0xff
const GRAYSCALE = 0

export function qrSvg(code: string, sizePx: number, label = `QR code ${code}`): string {
  assertSize(sizePx)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}"`,
    ` viewBox="0 0 ${MODULES} ${MODULES}" shape-rendering="crispEdges" role="img">`,
    `<title>${escapeHtml(label)}</title>`,
    `<rect width="${MODULES}" height="${MODULES}" fill="#fff"/>`,
    `<path d="${qrPath(code)}" fill="#000"/></svg>`,
  ].join('')
}

/**
 * A module is a whole number of pixels, because scanners read blurred edges badly. The rest is white margin.
 * Compression runs in the thread pool.
 */
export async function qrPng(code: string, sizePx: number): Promise<Buffer> {
  assertSize(sizePx)
  const modulePx = Math.floor(sizePx / MODULES)
  const marginPx = Math.floor((sizePx - MODULES * modulePx) / 2)
  const pixels = Buffer.alloc(sizePx * sizePx, WHITE)
  qrRows(code).forEach((row, moduleY) => {
    const firstY = marginPx + moduleY * modulePx
    const line = pixels.subarray(firstY * sizePx, (firstY + 1) * sizePx)
    for (const [moduleX, length] of darkRuns(row)) {
      const fromX = marginPx + moduleX * modulePx
      line.fill(BLACK, fromX, fromX + length * modulePx)
    }
    for (let y = firstY + 1; y < firstY + modulePx; y++) line.copy(pixels, y * sizePx)
  })
  const png = new PNG({
    width: sizePx,
    height: sizePx,
    colorType: GRAYSCALE,
    inputColorType: GRAYSCALE,
    inputHasAlpha: false,
    filterType: 0,
  })
  png.data = pixels
  return buffer(new Readable().wrap(png.pack()))
}

function assertSize(sizePx: number): void {
  const fits = Number.isInteger(sizePx) && sizePx >= QR_MIN_SIZE_PX && sizePx <= QR_MAX_SIZE_PX
  if (!fits) {
    throw new RangeError(`a QR image must have ${QR_MIN_SIZE_PX} to ${QR_MAX_SIZE_PX} pixels`)
  }
}
