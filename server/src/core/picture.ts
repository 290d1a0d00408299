import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

export const MAX_LOGO_PIXELS = 512

export type PictureProblem = 'image_type' | 'image_unreadable' | 'image_too_large'

type Size = { readonly width: number; readonly height: number }
type Pixels = Size & { readonly data: Uint8Array }

/**
 * A picture drawn anew as a PNG: only its pixels stay of what somebody sent. Its size is read before
 * anything is decoded, so that a few bytes cannot become a gigabyte.
 */
export function redraw(bytes: Buffer): Buffer | PictureProblem {
  const type = TYPES.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins))
  if (type === undefined) return 'image_type'
  const size = type.sizeOf(bytes)
  if (size === null || size.width === 0 || size.height === 0) return 'image_unreadable'
  if (size.width > MAX_LOGO_PIXELS || size.height > MAX_LOGO_PIXELS) return 'image_too_large'
  try {
    const { width, height, data } = type.decode(bytes)
    if (width !== size.width || height !== size.height) return 'image_unreadable'
    const png = new PNG({ width, height })
    png.data = Buffer.from(data)
    return PNG.sync.write(png)
  } catch {
    return 'image_unreadable'
  }
}

const TYPES: readonly {
  readonly begins: Buffer
  readonly sizeOf: (bytes: Buffer) => Size | null
  readonly decode: (bytes: Buffer) => Pixels
}[] = [
  {
    begins: Buffer.from('89504e470d0a1a0a', 'hex'),
    sizeOf: pngSize,
    decode: (bytes) => PNG.sync.read(bytes),
  },
  {
    begins: Buffer.from('ffd8ff', 'hex'),
    sizeOf: jpegSize,
    decode: (bytes) =>
      jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: 1, maxMemoryUsageInMB: 64 }),
  },
]

/**
 * None for an interlaced one, which the decoder would inflate without a bound, and for one with a second head,
 * which the decoder would believe instead of the first.
 */
function pngSize(bytes: Buffer): Size | null {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes[28] !== 0)
    return null
  if (bytes.indexOf('IHDR', 16, 'latin1') !== -1) return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Walks over the segments up to the frame that tells the size. */
function jpegSize(bytes: Buffer): Size | null {
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
