import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { encodeQR } from 'qr'
import { asStoreId, type Mode, type StoreId } from './ids.ts'
import { damm } from './qrCode.ts'

const HALF = 1_000_000_000
const NUMBER_LIMIT = 10n ** 18n

const QUIET_ZONE = 4
const MODULES = 21 + 2 * QUIET_ZONE

/** Below, a module would be less than a pixel; above, the vector image is the better choice. */
export const QR_MIN_SIZE_PX = MODULES
export const QR_MAX_SIZE_PX = 4096

/** Two halves, because `randomInt` is uniform but goes no further than 48 bits. */
export function mintQrNumber(): bigint {
  return BigInt(randomInt(HALF)) * BigInt(HALF) + BigInt(randomInt(HALF))
}

export function formatQrCode(mode: Mode, storeId: StoreId, number: bigint): string {
  if (asStoreId(storeId) === null) throw new RangeError(`not a store number: ${storeId}`)
  if (number < 0n || number >= NUMBER_LIMIT) throw new RangeError('a QR number has 18 digits')
  const modeDigit = mode === 'live' ? '1' : '2'
  const digits = modeDigit + String(storeId).padStart(7, '0') + String(number).padStart(18, '0')
  return digits + damm(digits)
}

/** One path of horizontal runs: a third of the bytes of a square per module, and no seams. */
export function qrSvg(code: string, sizePx: number): string {
  assertSize(sizePx)
  const path = symbol(code)
    .flatMap((row, y) => darkRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}"`,
    ` viewBox="0 0 ${MODULES} ${MODULES}" shape-rendering="crispEdges" role="img">`,
    `<title>QR code ${code}</title>`,
    `<rect width="${MODULES}" height="${MODULES}" fill="#fff"/>`,
    `<path d="${path}" fill="#000"/></svg>`,
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

  symbol(code).forEach((row, moduleY) => {
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

function symbol(code: string): boolean[][] {
  // Only digits may reach the markup, and 27 of them are what the smallest symbol holds.
  if (!/^[0-9]{27}$/.test(code)) throw new RangeError('a QR code has 27 digits')
  const rows = encodeQR(code, 'raw', {
    version: 1,
    ecc: 'quartile',
    encoding: 'numeric',
    border: QUIET_ZONE,
  })
  if (rows.length !== MODULES || rows.some((row) => row.length !== MODULES)) {
    throw new Error('the QR encoder left the smallest symbol')
  }
  return rows
}

function darkRuns(row: readonly boolean[]): [from: number, length: number][] {
  const runs: [from: number, length: number][] = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (!dark) return
    if (last !== undefined && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  })
  return runs
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
