import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asStoreId,
  asWalletNumber,
  hashToken,
  MAX_STORE_ID,
  MODES,
  mintPaymentId,
  mintReference,
  mintToken,
  mintWalletId,
  parsePaymentId,
  parseWalletId,
  paymentIdLowerBound,
  paymentIdTime,
} from '../../src/core/ids.ts'

const runs = { numRuns: 2_000 }
const storeId = fc.integer({ min: 1, max: MAX_STORE_ID }).map((n) => asStoreId(n)!)
const walletNumber = fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((n) => asWalletNumber(n)!)
const time = fc
  .oneof(fc.integer({ min: 0, max: 2 ** 48 - 1 }), fc.integer({ min: 1.7e12, max: 1.7e12 + 5 }))
  .map((ms) => new Date(ms))
const STORE_ID = asStoreId(1)!

const HOSTILE = [
  '',
  ' ',
  'pay_',
  'wal_',
  'pay',
  '__proto__',
  'constructor',
  'create',
  '../../etc/passwd',
  '\0',
  '\ud800',
  "' or 1=1 --",
  '%00',
  '🦊'.repeat(26),
  'x'.repeat(10_240),
  'pay_'.repeat(2_560),
  `pay_${'0'.repeat(10_240)}`,
  `pay_${'z'.repeat(26)}\n`,
  `pay_${'i'.repeat(26)}`,
  `PAY_${'0'.repeat(25)}1`,
  `pay_${'0'.repeat(26)}`,
  `pay_${'z'.repeat(26)}`,
  `pay_${'0'.repeat(25)}`,
  `pay_${'0'.repeat(27)}`,
  `wal_${'0'.repeat(16)}`,
  `wal_${'u'.repeat(16)}`,
  `wal_${'z'.repeat(17)}`,
]

/** Reads the documented layout as one bigint, unlike the code. */
function bitsOf(text: string): bigint {
  let bits = 0n
  for (const char of text)
    bits = bits * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(char))
  return bits
}

it('there are two modes', () => {
  expect(MODES).toEqual(['live', 'sandbox'])
})

describe('store and wallet numbers', () => {
  it.each([0, -1, -0, 1.5, NaN, Infinity, MAX_STORE_ID + 1])('%s is not a store number', (n) => {
    expect(asStoreId(n)).toBeNull()
  })
  it.each([0, -1, 1.5, NaN, 2 ** 31])('%s is not a wallet number', (n) => {
    expect(asWalletNumber(n)).toBeNull()
  })
})

describe('payment ids', () => {
  it('carry time and store in the documented bits', () => {
    fc.assert(
      fc.property(time, storeId, (at, store) => {
        const id = mintPaymentId(at, store)
        expect(id).toMatch(/^pay_[0-9a-hjkmnp-tv-z]{26}$/)
        expect(parsePaymentId(id)).toEqual({ paymentId: id, storeId: store })
        const bits = bitsOf(id.slice(4))
        expect(bits >> 82n).toBe(BigInt(at.getTime()))
        expect((bits >> 58n) & 0xff_ffffn).toBe(BigInt(store))
      }),
      runs,
    )
  })

  it('sort by time', () => {
    fc.assert(
      fc.property(time, time, storeId, storeId, (a, b, storeA, storeB) => {
        fc.pre(a.getTime() !== b.getTime())
        const isEarlier = a.getTime() < b.getTime()
        expect(mintPaymentId(a, storeA) < mintPaymentId(b, storeB)).toBe(isEarlier)
      }),
      runs,
    )
  })

  it('are between the bounds of their millisecond and the next', () => {
    fc.assert(
      fc.property(time, storeId, (at, store) => {
        const id: string = mintPaymentId(at, store)
        expect(paymentIdLowerBound(at) < id).toBe(true)
        if (at.getTime() === 2 ** 48 - 1) return
        expect(id < paymentIdLowerBound(new Date(at.getTime() + 1))).toBe(true)
      }),
      runs,
    )
    expect(paymentIdLowerBound(new Date(-5))).toBe(`pay_${'0'.repeat(26)}`)
    expect(paymentIdLowerBound(new Date(8.64e15))).toBe(paymentIdLowerBound(new Date(2 ** 48 - 1)))
    expect(() => paymentIdLowerBound(new Date(NaN))).toThrow(RangeError)
  })

  it('are unique over 100,000 of one store and millisecond, with every random bit in use', () => {
    const at = new Date(1_790_000_000_000)
    const ids = new Set<string>()
    const setBits = new Array<number>(58).fill(0)
    for (let i = 0; i < 100_000; i++) {
      const id = mintPaymentId(at, STORE_ID)
      ids.add(id)
      if (i >= 10_000) continue
      const bits = bitsOf(id.slice(4))
      for (let bit = 0; bit < 58; bit++) setBits[bit]! += Number((bits >> BigInt(bit)) & 1n)
    }
    expect(ids.size).toBe(100_000)
    // Within ten standard deviations for 10,000 random bits.
    for (const count of setBits) expect(Math.abs(count - 5_000)).toBeLessThan(500)
  })

  it('are not parsed from text that only resembles one', () => {
    const id = mintPaymentId(new Date(), STORE_ID)
    expect(parsePaymentId(id.toUpperCase())).toBeNull()
    expect(parsePaymentId(`${id}0`)).toBeNull()
    expect(parsePaymentId(id.slice(0, -1))).toBeNull()
    expect(parsePaymentId(`${id}\n`)).toBeNull()
    expect(parsePaymentId(` ${id}`)).toBeNull()
    for (const char of 'iloué-') expect(parsePaymentId(id.slice(0, -1) + char)).toBeNull()
  })

  it('are not minted for impossible times or stores', () => {
    expect(() => mintPaymentId(new Date(NaN), STORE_ID)).toThrow(RangeError)
    expect(() => mintPaymentId(new Date(-1), STORE_ID)).toThrow(RangeError)
    expect(() => mintPaymentId(new Date(2 ** 48), STORE_ID)).toThrow(RangeError)
    expect(() => mintPaymentId(new Date(), 0 as never)).toThrow(RangeError)
    expect(() => mintPaymentId(new Date(), (MAX_STORE_ID + 1) as never)).toThrow(RangeError)
  })
})

describe('wallet ids', () => {
  it('carry their number in the documented bits', () => {
    fc.assert(
      fc.property(walletNumber, (n) => {
        const id = mintWalletId(n)
        expect(id).toMatch(/^wal_[0-9a-hjkmnp-tv-z]{16}$/)
        expect(parseWalletId(id)).toBe(n)
        expect(bitsOf(id.slice(4)) >> 48n).toBe(BigInt(n))
      }),
      runs,
    )
  })

  it('are unique for one number, and are not minted for an invalid one', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => mintWalletId(asWalletNumber(7)!)))
    expect(ids.size).toBe(10_000)
    expect(() => mintWalletId(0 as never)).toThrow(RangeError)
  })
})

describe('hostile text', () => {
  it.each(HOSTILE)('$0 is not an id', (text) => {
    expect(parsePaymentId(text)).toBeNull()
    expect(parseWalletId(text)).toBeNull()
  })

  it('makes no parser throw or return an invalid id', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^(pay|wal)_[0-9a-z]{0,30}$/),
      fc.string({ unit: 'binary', minLength: 1 }).map((part) => part.repeat(10_240 / part.length)),
    )
    fc.assert(
      fc.property(text, (input) => {
        const parsed = parsePaymentId(input)
        if (parsed !== null) expect(asStoreId(parsed.storeId)).not.toBeNull()
        const wallet = parseWalletId(input)
        if (wallet !== null) expect(asWalletNumber(wallet)).not.toBeNull()
      }),
      runs,
    )
  })
})

describe('references and tokens', () => {
  it('references are unique and sort by time', () => {
    const at = new Date(1_790_000_000_000)
    const references = new Set(Array.from({ length: 100_000 }, () => mintReference('fnd_', at)))
    expect(references.size).toBe(100_000)
    fc.assert(
      fc.property(time, time, (a, b) => {
        fc.pre(a.getTime() !== b.getTime())
        const [first, second] = [mintReference('top_', a), mintReference('top_', b)]
        expect(first).toMatch(/^top_[0-9a-hjkmnp-tv-z]{26}$/)
        expect(bitsOf(first.slice(4)) >> 82n).toBe(BigInt(a.getTime()))
        expect(first < second).toBe(a.getTime() < b.getTime())
      }),
      runs,
    )
  })

  it('tokens are 32 random bytes after their prefix', () => {
    const tokens = new Set(Array.from({ length: 1_000 }, () => mintToken('key_')))
    expect(tokens.size).toBe(1_000)
    for (const token of tokens) expect(token).toMatch(/^key_[A-Za-z0-9_-]{43}$/)
  })

  it('a hash is plain SHA-256, for any text', () => {
    for (const text of ['', 'abc', '\ud800', '🦊', 'x'.repeat(10_240)]) {
      expect(hashToken(text)).toEqual(createHash('sha256').update(text).digest())
    }
    expect(hashToken('abc').toString('hex')).toMatch(/^ba7816bf/)
  })
})

it('a payment id contains its creation time in milliseconds', () => {
  for (const time of ['1970-01-01T00:00:00.000Z', '2026-11-15T12:34:56.789Z']) {
    const at = new Date(time)
    expect(paymentIdTime(mintPaymentId(at, asStoreId(9_999_999)!))).toEqual(at)
  }
})
