import { decodeQR } from 'qr/decode.js'

/** Decodes a code that is drawn with half blocks, as an image with 4 by 4 pixels per module. */
export function decodeBlocks(lines: readonly string[]): string {
  const rows = lines.flatMap((line) =>
    ['█▀', '█▄'].map((dark) => [...line].map((char) => dark.includes(char))),
  )
  const [scale, width, height] = [4, rows[0]!.length * 4, rows.length * 4]
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shade = rows[Math.floor(y / scale)]![Math.floor(x / scale)] ? 0 : 255
      data.set([shade, shade, shade, 255], (y * width + x) * 4)
    }
  }
  return decodeQR({ width, height, data })
}
