const MAX_SIDE_PIXELS = 512
/** Encoders write about ten. A decoder processes the whole picture for each. */
const MAX_SCANS = 40
/** Encoders write a chunk for every few kilobytes. */
const MAX_CHUNKS = 1000

export type PictureProblem = 'image_type' | 'image_unreadable' | 'image_too_large'
export type Size = { readonly width: number; readonly height: number }
/** The header of a picture, read without decoding it. */
export type PictureHead = Size & { readonly type: 'png' | 'jpeg' }

/**
 * Refuses pictures that are expensive to decode for their size, so that a few bytes can't take a gigabyte
 * of memory or a minute of CPU time.
 */
export function readPictureHead(bytes: Buffer): PictureHead | PictureProblem {
  const type = TYPES.find(({ signature }) => bytes.subarray(0, signature.length).equals(signature))
  if (type === undefined) return 'image_type'
  const size = type.sizeOf(bytes)
  if (size === null || size.width === 0 || size.height === 0) return 'image_unreadable'
  if (size.width > MAX_SIDE_PIXELS || size.height > MAX_SIDE_PIXELS) return 'image_too_large'
  return { type: type.name, ...size }
}

const TYPES = [
  { name: 'png', signature: Buffer.from('89504e470d0a1a0a', 'hex'), sizeOf: pngSize },
  { name: 'jpeg', signature: Buffer.from('ffd8ff', 'hex'), sizeOf: jpegSize },
] as const

/**
 * Null for a PNG without a header or with too many chunks. Also null for an interlaced one, because the decoder inflates it
 * without a bound, and for one with a second IHDR chunk, because the decoder would use that instead of the first.
 */
function pngSize(bytes: Buffer): Size | null {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes[28] !== 0)
    return null
  let chunks = 1
  for (let at = 33; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const isSecondHead = bytes.toString('latin1', at + 4, at + 8) === 'IHDR'
    if (isSecondHead || ++chunks > MAX_CHUNKS) return null
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const FRAME_MARKERS = [0xc0, 0xc1, 0xc2]
const SCAN_MARKER = 0xda
const END_MARKER = 0xd9

/** Null unless the JPEG has one frame, of a kind that the decoder knows, and a reasonable number of scans. */
function jpegSize(bytes: Buffer): Size | null {
  let size: Size | null = null
  let scans = 0
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    if (marker === END_MARKER) break
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (FRAME_MARKERS.includes(marker)) {
      if (size !== null || at + 9 > bytes.length) return null
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    if (marker === SCAN_MARKER && ++scans > MAX_SCANS) return null
    at += 2 + bytes.readUInt16BE(at + 2)
    if (marker === SCAN_MARKER) at = endOfScan(bytes, at)
  }
  return size
}

/** Where the next marker begins. Within a scan, 0xff is followed by 0 or by a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
  }
  return bytes.length
}
