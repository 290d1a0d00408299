import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { decodeQR } from 'qr/decode.js'
import { describe, expect, it, vi } from 'vitest'
import { asStoreId, MAX_STORE_ID, type Mode } from '../../src/core/ids.ts'
import {
  formatQrCode,
  mintQrNumber,
  QR_MAX_SIZE_PX,
  QR_MIN_SIZE_PX,
  qrPng,
  qrSvg,
} from '../../src/core/qr.ts'
import { parseQrCode } from '../../src/core/qrCode.ts'

// Many runs on a busy machine: slow is not wrong.
vi.setConfig({ testTimeout: 60_000 })

const runs = { numRuns: 10_000 }
const storeId = fc.integer({ min: 1, max: MAX_STORE_ID }).map((n) => asStoreId(n)!)
const mode = fc.constantFrom<Mode>('live', 'sandbox')
const number = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })
const NOW = new Date('2026-11-15T12:00:00Z')
const CODE = formatQrCode('live', asStoreId(1)!, 123_456_789_012_345_678n)

const samples = Array.from({ length: 200 }, (_, i) =>
  formatQrCode(i % 2 === 0 ? 'live' : 'sandbox', asStoreId(1 + i * 49_999)!, mintQrNumber(NOW)),
)

describe('the number', () => {
  it('has 18 digits and spreads evenly behind those of the minute', () => {
    const tenths = new Array<number>(10).fill(0)
    const lastDigits = new Array<number>(10).fill(0)
    const seen = new Set<bigint>()
    const beginsWith = BigInt(Math.floor(NOW.getTime() / 60_000) % 100_000)
    for (let i = 0; i < 100_000; i++) {
      const n = mintQrNumber(NOW)
      if (n / 10n ** 13n !== beginsWith) expect.unreachable(`another minute: ${n}`)
      seen.add(n)
      tenths[Number((n / 10n ** 12n) % 10n)]!++
      lastDigits[Number(n % 10n)]!++
    }
    expect(seen.size).toBe(100_000)
    // More than ten standard deviations around 10,000.
    for (const count of [...tenths, ...lastDigits]) {
      expect(Math.abs(count - 10_000)).toBeLessThan(1_000)
    }
  })

  it('grows with time, until the minutes come round', () => {
    const last = new Date((100_000 * 300 + 99_999) * 60_000)
    const minuteBefore = new Date(last.getTime() - 60_000)
    const minuteAfter = new Date(last.getTime() + 60_000)
    expect(mintQrNumber(minuteBefore)).toBeLessThan(mintQrNumber(last))
    expect(mintQrNumber(last)).toBeLessThan(10n ** 18n)
    expect(mintQrNumber(minuteAfter)).toBeLessThan(10n ** 13n)
  })
})

describe('the code', () => {
  it('round trips, also with spaces and hyphens between groups', () => {
    fc.assert(
      fc.property(mode, storeId, number, fc.nat(25), (m, s, n, cut) => {
        const code = formatQrCode(m, s, n)
        expect(code).toMatch(/^[12][0-9]{26}$/)
        const expected = { mode: m, storeId: s, number: n }
        expect(parseQrCode(code)).toEqual(expected)
        expect(parseQrCode(`${code.slice(0, cut + 1)} ${code.slice(cut + 1)}`)).toEqual(expected)
        expect(parseQrCode(code.match(/.{1,4}/g)!.join('-'))).toEqual(expected)
        expect(parseQrCode(code.match(/.{1,3}/g)!.join(' - '))).toEqual(expected)
      }),
      runs,
    )
  })

  it('catches every single wrong digit', () => {
    for (const code of samples) {
      for (let at = 0; at < 27; at++) {
        for (let digit = 0; digit < 10; digit++) {
          if (code[at] === String(digit)) continue
          const wrong = code.slice(0, at) + digit + code.slice(at + 1)
          expect(parseQrCode(wrong)).toBe('wrong_check_digit')
        }
      }
    }
  })

  it('catches every swap of two neighbours', () => {
    for (const code of samples) {
      for (let at = 0; at < 26; at++) {
        if (code[at] === code[at + 1]) continue
        const wrong = code.slice(0, at) + code[at + 1] + code[at] + code.slice(at + 2)
        expect(parseQrCode(wrong)).toBe('wrong_check_digit')
      }
    }
  })

  it('refuses a right check digit over an unknown mode or store', () => {
    const refusals = new Set<unknown>()
    for (const head of ['0', '3', '4', '5', '6', '7', '8', '9'].map((d) => `${d}0000001`)) {
      for (let d = 0; d < 10; d++) refusals.add(parseQrCode(`${head}${'0'.repeat(18)}${d}`))
    }
    for (let d = 0; d < 10; d++) refusals.add(parseQrCode(`1${'0'.repeat(25)}${d}`))
    expect(refusals).toEqual(new Set(['malformed', 'wrong_check_digit']))
  })

  it.each([
    '',
    ' ',
    '-',
    CODE.slice(1),
    `${CODE}0`,
    ` ${CODE}`,
    `${CODE} `,
    `-${CODE}`,
    `${CODE}\n`,
    CODE.replace('1', 'l'),
    CODE.replace('1', '１'),
    `${CODE.slice(0, 5)}.${CODE.slice(5)}`,
    `${CODE.slice(0, 5)}\t${CODE.slice(5)}`,
    `+${CODE.slice(1)}`,
    '1e26',
    '0'.repeat(27).replace('0', 'x'),
    '1'.repeat(10_240),
    '1 '.repeat(5_120),
    '1-'.repeat(100_000),
    '\0',
    '\ud800',
    '__proto__',
  ])('refuses %.30j as malformed', (text) => {
    expect(parseQrCode(text)).toBe('malformed')
  })

  it('never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[0-9 -]{20,35}$/),
      fc.stringMatching(/^[0-9]{27}$/),
    )
    fc.assert(
      fc.property(text, (written) => {
        const parsed = parseQrCode(written)
        if (typeof parsed === 'string') return
        const code = formatQrCode(parsed.mode, parsed.storeId, parsed.number)
        expect(written.replaceAll(/[ -]/g, '')).toBe(code)
      }),
      runs,
    )
  })

  it('is not made of impossible parts', () => {
    const one = asStoreId(1)!
    expect(() => formatQrCode('live', 0 as never, 1n)).toThrow(RangeError)
    expect(() => formatQrCode('live', one, -1n)).toThrow(RangeError)
    expect(() => formatQrCode('live', one, 10n ** 18n)).toThrow(RangeError)
  })
})

/** A reader for just these pictures, written against the PNG specification. */
function readPng(png: Buffer): { size: number; dark: (x: number, y: number) => boolean } {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.subarray(at + 4, at + 8).toString('latin1')
    const data = png.subarray(at + 8, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(slowCrc(png.subarray(at + 4, at + 8 + length)))
    chunks.set(type, data)
    at += 12 + length
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND'])
  const header = chunks.get('IHDR')!
  const size = header.readUInt32BE(0)
  expect(header.readUInt32BE(4)).toBe(size)
  expect([...header.subarray(8)]).toEqual([1, 0, 0, 0, 0])
  const pixels = inflateSync(chunks.get('IDAT')!)
  const lineBytes = 1 + Math.ceil(size / 8)
  expect(pixels).toHaveLength(lineBytes * size)
  for (let y = 0; y < size; y++) expect(pixels[y * lineBytes]).toBe(0)
  return {
    size,
    dark: (x, y) => ((pixels[y * lineBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0,
  }
}

function slowCrc(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

function decode(size: number, dark: (x: number, y: number) => boolean): string {
  const data = new Uint8Array(size * size * 4).fill(255)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++)
      if (dark(x, y)) data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
  }
  return decodeQR({ width: size, height: size, data }, { timeLimit: 5_000 })
}

describe('the PNG', () => {
  it.each([58, 87, 100, 128, 200, 256, 290, 300, 511, 512, 1024])(
    'of %s pixels is read back',
    (sizePx) => {
      for (const code of samples.slice(0, 5)) {
        const { size, dark } = readPng(qrPng(code, sizePx))
        expect(size).toBe(sizePx)
        expect(decode(size, dark)).toBe(code)
      }
    },
  )

  it.each([29, 30, 57, 100, 333])('of %s pixels has whole modules and its quiet zone', (sizePx) => {
    const { dark } = readPng(qrPng(CODE, sizePx))
    const modulePx = Math.floor(sizePx / 29)
    const margin = Math.floor((sizePx - 29 * modulePx) / 2)
    const grid = svgGrid(qrSvg(CODE, sizePx))
    for (let y = 0; y < sizePx; y++) {
      for (let x = 0; x < sizePx; x++) {
        const [mx, my] = [Math.floor((x - margin) / modulePx), Math.floor((y - margin) / modulePx)]
        const expected = grid[my]?.[mx] ?? false
        if (dark(x, y) !== expected) expect([x, y, dark(x, y)]).toEqual([x, y, expected])
        const quiet = mx < 4 || mx > 24 || my < 4 || my > 24
        if (quiet && dark(x, y)) expect.unreachable(`dark at ${x}, ${y}`)
      }
    }
  })

  it('of the smallest size is still one pixel a module', () => {
    const { dark } = readPng(qrPng(CODE, QR_MIN_SIZE_PX))
    expect(decode(290, (x, y) => dark(Math.floor(x / 10), Math.floor(y / 10)))).toBe(CODE)
  })
})

/** Paints the runs of the path, so that the drawing and not the source of it is tested. */
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
  it('is read back', () => {
    for (const code of samples.slice(0, 50)) {
      const grid = svgGrid(qrSvg(code, 290))
      expect(decode(290, (x, y) => grid[Math.floor(y / 10)]![Math.floor(x / 10)]!)).toBe(code)
    }
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

describe('images of anything else', () => {
  it.each(['', '123', `${CODE}0`, '<script>', 'A'.repeat(27)])('refuse %j', (text) => {
    expect(() => qrSvg(text, 100)).toThrow(RangeError)
    expect(() => qrPng(text, 100)).toThrow(RangeError)
  })
  it.each([0, -1, 28, 29.5, NaN, Infinity, QR_MAX_SIZE_PX + 1])('refuse %s pixels', (sizePx) => {
    expect(() => qrSvg(CODE, sizePx)).toThrow(RangeError)
    expect(() => qrPng(CODE, sizePx)).toThrow(RangeError)
  })
})
