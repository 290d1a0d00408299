import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { PNG } from 'pngjs'
import { limitConcurrency } from '../core/limitConcurrency.ts'
import { darkRuns, QR_MODULES as MODULES, qrRows, rowsPath, textQrRows } from '../core/qrSymbol.ts'
import { escapeHtml } from '../core/text.ts'

/** Below the minimum a module is less than a pixel. Above the maximum the vector image is the better choice. */
export const QR_MIN_SIZE_PX = MODULES
export const QR_MAX_SIZE_PX = 4096

const BLACK = 0
const WHITE = 0xff
const GRAYSCALE = 0

/** The pixels of an image of the largest size take 17 MB, pngjs copies them, and filling them blocks the event loop for milliseconds. */
const runLimited = limitConcurrency({ running: 2, waiting: 50 })

type Rows = readonly (readonly boolean[])[]

export const qrSvg = (code: string, sizePx: number, label = `QR code ${code}`): string =>
  rowsSvg(qrRows(code), sizePx, label)

export const qrPng = async (code: string, sizePx: number): Promise<Buffer> =>
  runLimited(() => rowsPng(qrRows(code), sizePx))

/** The image of a URL. Its symbol is larger than that of a payment code. */
export const urlQrSvg = (url: string, sizePx: number, label: string): string =>
  rowsSvg(textQrRows(url), sizePx, label)

export const urlQrPng = async (url: string, sizePx: number): Promise<Buffer> =>
  runLimited(() => rowsPng(textQrRows(url), sizePx))

function rowsSvg(rows: Rows, sizePx: number, label: string): string {
  assertSize(sizePx)
  const modules = rows.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}"`,
    ` viewBox="0 0 ${modules} ${modules}" shape-rendering="crispEdges" role="img">`,
    `<title>${escapeHtml(label.replaceAll(/\p{Cc}/gu, ' '))}</title>`,
    `<rect width="${modules}" height="${modules}" fill="#fff"/>`,
    `<path d="${rowsPath(rows)}" fill="#000"/></svg>`,
  ].join('')
}

/**
 * A module is a whole number of pixels, because scanners read blurred edges badly. The rest is white margin.
 * Compression runs in the thread pool.
 */
async function rowsPng(rows: Rows, requestedPx: number): Promise<Buffer> {
  assertSize(requestedPx)
  // A long URL may have more modules than the requested number of pixels.
  const sizePx = Math.max(requestedPx, rows.length)
  const modulePx = Math.floor(sizePx / rows.length)
  const marginPx = Math.floor((sizePx - rows.length * modulePx) / 2)
  const pixels = Buffer.alloc(sizePx * sizePx, WHITE)
  rows.forEach((row, moduleY) => {
    const firstY = marginPx + moduleY * modulePx
    const line = pixels.subarray(firstY * sizePx, (firstY + 1) * sizePx)
    for (const [moduleX, length] of darkRuns(row)) {
      const fromX = marginPx + moduleX * modulePx
      line.fill(BLACK, fromX, fromX + length * modulePx)
    }
    for (let y = firstY + 1; y < firstY + modulePx; y++) line.copy(pixels, y * sizePx)
  })
  const png = new PNG({
    colorType: GRAYSCALE,
    inputColorType: GRAYSCALE,
    inputHasAlpha: false,
    filterType: 0,
  })
  // Not as options: the constructor would allocate four bytes per pixel.
  Object.assign(png, { width: sizePx, height: sizePx, data: pixels })
  return buffer(new Readable().wrap(png.pack()))
}

function assertSize(sizePx: number): void {
  const isAllowed = Number.isInteger(sizePx) && sizePx >= QR_MIN_SIZE_PX && sizePx <= QR_MAX_SIZE_PX
  if (!isAllowed) {
    throw new RangeError(`a QR image must have ${QR_MIN_SIZE_PX} to ${QR_MAX_SIZE_PX} pixels`)
  }
}
