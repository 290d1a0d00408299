import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asStoreId, MAX_STORE_ID, type Mode } from '../../src/core/ids.ts'
import { formatQrCode, mintQrNumber } from '../../src/core/qr.ts'
import { parseQrCode } from '../../src/core/qrCode.ts'

const runs = { numRuns: 2_000 }
const storeId = fc.integer({ min: 1, max: MAX_STORE_ID }).map((n) => asStoreId(n)!)
const mode = fc.constantFrom<Mode>('live', 'sandbox')
const number = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })
const NOW = new Date('2026-11-15T12:00:00Z')
const CODE = formatQrCode('live', asStoreId(1)!, 123_456_789_012_345_678n)

const samples = Array.from({ length: 200 }, (_, i) =>
  formatQrCode(i % 2 === 0 ? 'live' : 'sandbox', asStoreId(1 + i * 49_999)!, mintQrNumber(NOW)),
)

describe('the number', () => {
  it('has 18 digits: the minute, then uniform random digits', () => {
    const firstDigits = new Array<number>(10).fill(0)
    const lastDigits = new Array<number>(10).fill(0)
    const seen = new Set<bigint>()
    const beginsWith = BigInt(Math.floor(NOW.getTime() / 60_000) % 100_000)
    for (let i = 0; i < 100_000; i++) {
      const n = mintQrNumber(NOW)
      if (n / 10n ** 13n !== beginsWith) expect.unreachable(`another minute: ${n}`)
      seen.add(n)
      firstDigits[Number((n / 10n ** 12n) % 10n)]!++
      lastDigits[Number(n % 10n)]!++
    }
    // With ten trillion possible numbers, one run in 2,000 has a duplicate.
    expect(seen.size).toBeGreaterThan(99_990)
    // More than ten standard deviations around 10,000.
    for (const count of [...firstDigits, ...lastDigits]) {
      expect(Math.abs(count - 10_000)).toBeLessThan(1_000)
    }
  })

  it('grows with time until the minutes wrap around', () => {
    const last = new Date((100_000 * 300 + 99_999) * 60_000)
    const minuteBefore = new Date(last.getTime() - 60_000)
    const minuteAfter = new Date(last.getTime() + 60_000)
    expect(mintQrNumber(minuteBefore)).toBeLessThan(mintQrNumber(last))
    expect(mintQrNumber(last)).toBeLessThan(10n ** 18n)
    expect(mintQrNumber(minuteAfter)).toBeLessThan(10n ** 13n)
  })
})

describe('formatting and parsing a code', () => {
  it('round trips, even with spaces and hyphens between groups', () => {
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

  it('detects every single wrong digit', () => {
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

  it('detects every swap of adjacent digits', () => {
    for (const code of samples) {
      for (let at = 0; at < 26; at++) {
        if (code[at] === code[at + 1]) continue
        const wrong = code.slice(0, at) + code[at + 1] + code[at] + code.slice(at + 2)
        expect(parseQrCode(wrong)).toBe('wrong_check_digit')
      }
    }
  })

  it('refuses a correct check digit with an unknown mode or store', () => {
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
  ])('refuses $0 as malformed', (text) => {
    expect(parseQrCode(text)).toBe('malformed')
  })

  it('never throws, and accepts only what it would print', () => {
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

  it('refuses invalid parts', () => {
    const store = asStoreId(1)!
    expect(() => formatQrCode('live', 0 as never, 1n)).toThrow(RangeError)
    expect(() => formatQrCode('live', store, -1n)).toThrow(RangeError)
    expect(() => formatQrCode('live', store, 10n ** 18n)).toThrow(RangeError)
  })
})
