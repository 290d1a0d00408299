import { PNG } from 'pngjs'
import { decodeQR } from 'qr/decode.js'
import { describe, expect, it } from 'vitest'
import { asStoreId } from '../../src/core/ids.ts'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import { formatQrCode, mintQrNumber } from '../../src/core/qr.ts'
import {
  QR_MAX_SIZE_PX,
  QR_MIN_SIZE_PX,
  qrPng,
  qrSvg,
  urlQrPng,
  urlQrSvg,
} from '../../src/platform/qrImages.ts'
import { watchPngs } from '../setup/pngs.ts'

const NOW = new Date('2026-11-15T12:00:00Z')
const CODE = formatQrCode('live', asStoreId(1)!, 123_456_789_012_345_678n)

const samples = Array.from({ length: 50 }, (_, i) =>
  formatQrCode(i % 2 === 0 ? 'live' : 'sandbox', asStoreId(1 + i * 199_999)!, mintQrNumber(NOW)),
)

/** Reads an image and checks that every pixel is either black or white. */
function readPng(bytes: Buffer): { size: number; isDark: (x: number, y: number) => boolean } {
  const { width, height, data } = PNG.sync.read(bytes)
  expect(height).toBe(width)
  const values = new Set<number>()
  for (let at = 0; at < data.length; at += 4) values.add(data.readUInt32BE(at))
  expect(values).toEqual(new Set([0x000000ff, 0xffffffff]))
  return { size: width, isDark: (x, y) => data[(y * width + x) * 4] === 0 }
}

function decode(size: number, isDark: (x: number, y: number) => boolean): string {
  const data = new Uint8Array(size * size * 4).fill(255)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++)
      if (isDark(x, y)) data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
  }
  return decodeQR({ width: size, height: size, data }, { timeLimit: 20_000 })
}

describe('the PNG', () => {
  it.each([58, 87, 100, 128, 200, 256, 290, 300, 511, 512, 1024])(
    'of %s pixels can be decoded',
    async (sizePx) => {
      for (const code of samples.slice(0, 5)) {
        const { size, isDark } = readPng(await qrPng(code, sizePx))
        expect(size).toBe(sizePx)
        expect(decode(size, isDark)).toBe(code)
      }
    },
  )

  it.each([29, 30, 57, 100, 333])(
    'of %s pixels has whole modules and its quiet zone',
    async (sizePx) => {
      const { isDark } = readPng(await qrPng(CODE, sizePx))
      const modulePx = Math.floor(sizePx / 29)
      const margin = Math.floor((sizePx - 29 * modulePx) / 2)
      const grid = svgGrid(qrSvg(CODE, sizePx))
      for (let y = 0; y < sizePx; y++) {
        for (let x = 0; x < sizePx; x++) {
          const [mx, my] = [
            Math.floor((x - margin) / modulePx),
            Math.floor((y - margin) / modulePx),
          ]
          const expected = grid[my]?.[mx] ?? false
          if (isDark(x, y) !== expected) expect([x, y, isDark(x, y)]).toEqual([x, y, expected])
          const isQuiet = mx < 4 || mx > 24 || my < 4 || my > 24
          if (isQuiet && isDark(x, y)) expect.unreachable(`dark at ${x}, ${y}`)
        }
      }
    },
  )

  it('of the smallest size has one pixel per module', async () => {
    const { isDark } = readPng(await qrPng(CODE, QR_MIN_SIZE_PX))
    expect(decode(290, (x, y) => isDark(Math.floor(x / 10), Math.floor(y / 10)))).toBe(CODE)
  })
})

describe('many concurrent PNGs', () => {
  it('are drawn two at a time, and refused when 50 are waiting', async () => {
    const readMaxRunning = watchPngs()
    const images = Array.from({ length: 100 }, (_, n) =>
      n % 2 === 0 ? qrPng(CODE, 290) : urlQrPng('https://pay.example.com', 290),
    )
    const results = await Promise.allSettled(images)
    const refused = results.filter(({ status }) => status === 'rejected')
    expect([readMaxRunning(), refused.length]).toEqual([2, 48])
    for (const result of refused) expect(result).toMatchObject({ reason: expect.any(Overloaded) })
    expect(readPng(await qrPng(CODE, 290)).size).toBe(290)
  })
})

/** Rasterizes the path, so that the test covers the drawing. */
function svgGrid(svg: string): boolean[][] {
  const grid = Array.from({ length: 29 }, () => new Array<boolean>(29).fill(false))
  const path = / d="([^"]+)"/.exec(svg)![1]!
  for (const [, x, y, length, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    expect(length).toBe(back)
    for (let i = 0; i < Number(length); i++) grid[Number(y)]![Number(x) + i] = true
  }
  expect(path.replaceAll(/M\d+ \d+h\d+v1h-\d+z/g, '')).toBe('')
  return grid
}

describe('the SVG', () => {
  it('can be decoded', () => {
    for (const code of samples) {
      const grid = svgGrid(qrSvg(code, 290))
      expect(decode(290, (x, y) => grid[Math.floor(y / 10)]![Math.floor(x / 10)]!)).toBe(code)
    }
  })

  it('has no control characters, which XML forbids', () => {
    expect(urlQrSvg('https://pay.example.com', 240, 'a\u0000b\u001bc\nd')).toContain(
      '<title>a b c d</title>',
    )
  })

  it('has a name, a view box, crisp edges and no scripts', () => {
    const svg = qrSvg(CODE, 240)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="240" height="240"/)
    expect(svg).toContain('viewBox="0 0 29 29"')
    expect(svg).toContain('shape-rendering="crispEdges"')
    expect(svg).toContain('role="img"')
    expect(svg).toContain(`<title>QR code ${CODE}</title>`)
    expect(svg).not.toMatch(/script|href|on[a-z]+=/i)
  })
})

describe('invalid input', () => {
  it.each(['', '123', `${CODE}0`, '<script>', 'A'.repeat(27)])('is refused: %j', async (text) => {
    expect(() => qrSvg(text, 100)).toThrow(RangeError)
    await expect(qrPng(text, 100)).rejects.toThrow(RangeError)
  })
  it.each([0, -1, 28, 29.5, NaN, Infinity, QR_MAX_SIZE_PX + 1])(
    'is refused: %s pixels',
    async (sizePx) => {
      expect(() => qrSvg(CODE, sizePx)).toThrow(RangeError)
      await expect(qrPng(CODE, sizePx)).rejects.toThrow(RangeError)
    },
  )
})
