import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

const segment = (marker: number, ...bytes: number[]) => {
  const length = bytes.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...bytes])
}
const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])

/** A progressive frame of one component. */
const frame = (pixels: number) =>
  segment(0xc2, 8, pixels >> 8, pixels & 255, pixels >> 8, pixels & 255, 1, 1, 0x11, 0)
const quantization = segment(0xdb, 0, ...Array<number>(64).fill(1))
/** A one-bit code for a run of at least 16,384 empty blocks. */
const huffman = segment(0xc4, 0x10, 1, ...Array<number>(15).fill(0), 0xe0)
/** A scan over all blocks, encoded in two bytes as empty. */
const scan = Buffer.concat([segment(0xda, 1, 1, 0, 1, 63, 0), Buffer.alloc(2)])

/** A small file that is slow to decode: each scan visits every block of the last frame. */
export const slowJpeg = ({ frames = [512], scans = 3000 } = {}) =>
  Buffer.concat([
    START,
    quantization,
    huffman,
    ...frames.map(frame),
    ...Array<Buffer>(scans).fill(scan),
    END,
  ])

/** A chunk of a PNG without data: a length of zero, a type and a checksum of zero. */
const EMPTY_CHUNK = Buffer.from('\0\0\0\0teXt\0\0\0\0', 'latin1')

export function plainPng(width: number, height: number): Buffer {
  const png = new PNG({ width, height })
  png.data.fill(0x7f)
  return PNG.sync.write(png)
}

export const plainJpeg = (pixels: number) =>
  jpeg.encode({ width: pixels, height: pixels, data: Buffer.alloc(pixels * pixels * 4, 127) }, 80)
    .data

/** Adds empty chunks between the header and the pixels. */
export function manyChunksPng(count: number): Buffer {
  const png = plainPng(8, 8)
  const chunks = Array<Buffer>(count).fill(EMPTY_CHUNK)
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
}

export const hostilePictures = (): [string, Buffer][] => [
  ['a JPEG of 3,000 scans', slowJpeg()],
  ['a JPEG of two frames', slowJpeg({ frames: [8, 1000] })],
  ['a JPEG of 40 scans', slowJpeg({ scans: 40 })],
  ['a large JPEG', plainJpeg(512)],
  ['a large PNG', plainPng(512, 512)],
  ['a PNG of 20,000 chunks', manyChunksPng(20_000)],
]
