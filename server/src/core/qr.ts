import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { asStoreId, type Mode, type StoreId } from './ids.ts'
import { damm } from './qrCode.ts'
import { darkRuns, QR_MODULES as MODULES, qrPath, qrRows } from './qrSymbol.ts'
import { escapeHtml } from './text.ts'

const NUMBER_LIMIT = 10n ** 18n
const STEP_MS = 60_000
const STEPS = 100_000
const RANDOM_LIMIT = 10_000_000_000_000

/** Below, a module would be less than a pixel; above, the vector image is the better choice. */
export const QR_MIN_SIZE_PX = MODULES
export const QR_MAX_SIZE_PX = 4096

/**
 * Five digits of the minute, which come round every ten weeks, and thirteen random ones. Numbers of one
 * time stand together in their index, which otherwise would be written all over by every new payment.
 */
export function mintQrNumber(at: Date): bigint {
  const step = Math.floor(at.getTime() / STEP_MS) % STEPS
  return BigInt(step) * BigInt(RANDOM_LIMIT) + BigInt(randomInt(RANDOM_LIMIT))
}

export function formatQrCode(mode: Mode, storeId: StoreId, number: bigint): string {
  if (asStoreId(storeId) === null) throw new RangeError(`not a store number: ${storeId}`)
  if (number < 0n || number >= NUMBER_LIMIT) throw new RangeError('a QR number has 18 digits')
  const modeDigit = mode === 'live' ? '1' : '2'
  const digits = modeDigit + String(storeId).padStart(7, '0') + String(number).padStart(18, '0')
  return digits + damm(digits)
}

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

/** Whole pixels per module, since scanners read blurred edges badly; the rest is white margin. */
export function qrPng(code: string, sizePx: number): Buffer {
  assertSize(sizePx)
  const modulePx = Math.floor(sizePx / MODULES)
  const marginPx = Math.floor((sizePx - MODULES * modulePx) / 2)

  // A line of a one-bit picture: a byte for the filter (none), then eight pixels a byte, 1 white.
  const lineBytes = 1 + Math.ceil(sizePx / 8)
  const pixels = Buffer.alloc(lineBytes * sizePx, 0xff)
  for (let y = 0; y < sizePx; y++) pixels[y * lineBytes] = 0

  qrRows(code).forEach((row, moduleY) => {
    const line = Buffer.alloc(lineBytes, 0xff)
    line[0] = 0
    for (const [moduleX, length] of darkRuns(row)) {
      const fromX = marginPx + moduleX * modulePx
      for (let x = fromX; x < fromX + length * modulePx; x++) {
        line[1 + (x >> 3)]! &= ~(0x80 >> (x & 7))
      }
    }
    const fromY = marginPx + moduleY * modulePx
    for (let y = fromY; y < fromY + modulePx; y++) line.copy(pixels, y * lineBytes)
  })
  return encodePng(sizePx, pixels)
}

function assertSize(sizePx: number): void {
  const fits = Number.isInteger(sizePx) && sizePx >= QR_MIN_SIZE_PX && sizePx <= QR_MAX_SIZE_PX
  if (!fits) throw new RangeError(`a QR image has ${QR_MIN_SIZE_PX} to ${QR_MAX_SIZE_PX} pixels`)
}

function encodePng(sizePx: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(sizePx, 0)
  header.writeUInt32BE(sizePx, 4)
  header[8] = 1 // One bit per pixel; colour type 0 (grey), and no interlacing, are already zero.
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(typeAndData))
  return Buffer.concat([length, typeAndData, checksum])
}
