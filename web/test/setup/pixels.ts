import { inflateSync } from 'node:zlib'

export type Picture = { width: number; height: number; data: Uint8ClampedArray }

/** The pixels of a screenshot: a PNG of eight bits a channel, three or four channels, not interlaced. */
export function pixelsOf(png: Buffer): Picture {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    })
    at += 12 + length
  }
  const header = chunks[0]!.data
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = { 2: 3, 6: 4 }[header[9]!]
  if (header[8] !== 8 || channels === undefined || header[12] !== 0) throw new Error('another PNG')
  const packed = chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => chunk.data)
  const lines = unfiltered(inflateSync(Buffer.concat(packed)), { width, height, channels })
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let n = 0; n < width * height; n++) {
    for (let c = 0; c < 3; c++) data[n * 4 + c] = lines[n * channels + c]!
  }
  return { width, height, data }
}

/** Each line of a PNG is told by its difference to what lies left of it, above it, or both. */
function unfiltered(
  raw: Buffer,
  { width, height, channels }: { width: number; height: number; channels: number },
): Uint8Array {
  const size = width * channels
  const out = new Uint8Array(size * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (size + 1)]!
    for (let x = 0; x < size; x++) {
      const left = x >= channels ? out[y * size + x - channels]! : 0
      const up = y > 0 ? out[(y - 1) * size + x]! : 0
      const corner = x >= channels && y > 0 ? out[(y - 1) * size + x - channels]! : 0
      const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter]!
      out[y * size + x] = raw[y * (size + 1) + 1 + x]! + guess
    }
  }
  return out
}

function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
