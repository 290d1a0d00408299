import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCurrency } from '../../src/core/currencies.ts'
import {
  isInexactNumber,
  parseJsonExactly,
  storedObject,
  stringifyExactly,
} from '../../src/core/json.ts'
import { findDuplicateKey, scanJson } from '../../src/core/jsonText.ts'
import { parseAmount } from '../../src/core/money.ts'

const runs = { numRuns: 2_000 }
const USD = parseCurrency('USD')!

describe('parseJsonExactly with numbers', () => {
  it.each([
    '0.30000000000000004',
    '10.0',
    '1e1',
    '10',
    '-0',
    '-0.0',
    '0',
    '0e0',
    '0.0000000000000000000',
    '0e-99999999999',
    '1E+2',
    '1e-7',
    '1e21',
    '10.0000000000000000000000000',
    '1.5e-300',
    '5e-324',
    '1.7976931348623157e308',
    '0.1',
    '123456789012.340',
    '123456789012.340000000000',
    '1e300',
    '100000000000000000000000',
    '9007199254740992',
    '0.000000000000000001e20',
    '-123456789012.34',
    '10000000000000000000e-18',
    '1e+000000000000001',
  ])('keeps %s', (literal) => {
    expect(parseJsonExactly(literal)).toBe(JSON.parse(literal))
    expect(parseJsonExactly(`{"a":[ ${literal} ]}`)).toEqual({ a: [JSON.parse(literal)] })
  })

  it.each(
    [
      '10.000000000000000001',
      '12345678901234567890',
      '123456789012.340000001',
      '1e400',
      '-1e400',
      '1e-400',
      '-1e-400',
      '0.1e-9999',
      '9007199254740993',
      '0.1000000000000000055511151231257827',
      '9.99999999999999999999',
      '-10.000000000000000001',
      '1e99999999999999999999',
      `1${'0'.repeat(20)}1`,
      `0.${'0'.repeat(400)}1`,
      `0.${'9'.repeat(100_000)}`,
    ].map((literal) => [literal.slice(0, 40), literal] as const),
  )('does not round %s', (_, literal) => {
    for (const value of [
      parseJsonExactly(literal),
      (parseJsonExactly(`{"a":[1, ${literal}]}`) as { a: unknown[] }).a[1],
    ]) {
      expect(isInexactNumber(value)).toBe(true)
      expect(typeof value).not.toBe('object')
      expect(typeof value).not.toBe('number')
      expect(JSON.stringify({ value })).toBe(JSON.stringify({ value: JSON.parse(literal) }))
      expect(stringifyExactly({ value })).toBe(`{"value":${literal}}`)
      expect(parseAmount(value, USD)).toBe('not_a_number')
    }
  })

  it.each(['number', 'integer', 'object', 'array', 'string', 'boolean', 'null'])(
    'an inexact number is not a %s to a schema',
    (type) => {
      expect(new Ajv().validate({ type }, parseJsonExactly('10.000000000000000001'))).toBe(false)
    },
  )

  it('agrees with exact arithmetic on whether a literal is kept', () => {
    const digits = (min: number, max: number) =>
      fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`)).filter((text) => text.length >= min)
    const literal = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.oneof(
          fc.constant('0'),
          digits(1, 22).map((text) => `1${text}`),
        ),
        fc.oneof(
          fc.constant(''),
          digits(1, 25).map((text) => `.${text}`),
        ),
        fc.oneof(
          fc.constant(''),
          fc.integer({ min: -400, max: 400 }).map((n) => `e${n}`),
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(literal, (text) => {
        const nearest = Number(text)
        const isExact = Number.isFinite(nearest) && haveSameValue(text, String(nearest))
        const value = parseJsonExactly(`[${text}]`) as unknown[]
        expect(isInexactNumber(value[0])).toBe(!isExact)
        if (isExact) expect(value[0]).toBe(nearest)
      }),
      { numRuns: 5_000 },
    )
  })

  it('keeps amounts exactly or refuses them', () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 14n - 1n })
    fc.assert(
      fc.property(cents, fc.stringMatching(/^[0-9]{0,20}$/), (minor, tail) => {
        const text = minor.toString().padStart(3, '0')
        const literal = `${text.slice(0, -2)}.${text.slice(-2)}${tail}`
        const amount = parseAmount(parseJsonExactly(literal), USD)
        if (/^0*$/.test(tail)) expect(amount).toBe(minor)
        else expect(typeof amount).toBe('string')
      }),
      runs,
    )
  })
})

/** Scales both decimals to integers by a common power of ten. */
function haveSameValue(a: string, b: string): boolean {
  const split = (text: string): [bigint, number] => {
    const match = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/.exec(text)!
    const fraction = match[3] ?? ''
    return [BigInt(match[2]! + fraction), Number(match[4] ?? 0) - fraction.length]
  }
  const [[m, p], [n, q]] = [split(a), split(b)]
  const base = Math.min(p, q)
  return m * 10n ** BigInt(p - base) === n * 10n ** BigInt(q - base)
}

describe('parseJsonExactly with everything else', () => {
  it.each([
    '"10.000000000000000001"',
    '{"12345678901234567890":"a 12345678901234567890, 1e400"}',
    '{"a":"\\" 12345678901234567890 ,","b":"\\\\"}',
    '{"a":"\\\\\\" : 12345678901234567890","b":1}',
    '["\\u0022 12345678901234567890", "\\u005c", 12.5]',
    '"2026-01-01 12345678901234567890-e"',
    ' [ true , false , null , 1234567890123456 ] ',
    '{"":{"":[]}}',
  ])('equals JSON.parse: %s', (text) => {
    expect(parseJsonExactly(text)).toEqual(JSON.parse(text))
  })

  it('changes no string next to an inexact number', () => {
    const text =
      '{"n":12345678901234567890,"s":"n:12345678901234567890",' +
      '"e":"\\"[12345678901234567890","ok":1.5}'
    const value = parseJsonExactly(text) as Record<string, unknown>
    expect(isInexactNumber(value.n)).toBe(true)
    expect(value.s).toBe('n:12345678901234567890')
    expect(value.e).toBe('"[12345678901234567890')
    expect(value.ok).toBe(1.5)
    expect(Object.keys(value)).toEqual(['n', 's', 'e', 'ok'])
  })

  it('keeps __proto__ with an inexact number as an own key', () => {
    const value = parseJsonExactly('{"__proto__":12345678901234567890}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.hasOwn(value, '__proto__')).toBe(true)
    expect(stringifyExactly(value)).toBe('{"__proto__":12345678901234567890}')
  })

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    'NaN',
    'Infinity',
    "'a'",
    '"a',
    '{"a":1,}',
    '12345678901234567890.',
    '012345678901234567890',
    '[12345678901234567890',
    '\ufeff1',
    '12345678901234567890 1',
    '"\\x 12345678901234567890"',
    '--12345678901234567890',
  ])('throws a SyntaxError for %s', (text) => {
    expect(() => parseJsonExactly(text)).toThrow(SyntaxError)
  })

  it('equals JSON.parse for the output of JSON.stringify, also next to an inexact number', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 5 }),
      fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger())),
      fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
    )
    fc.assert(
      fc.property(value, (x) => {
        const text = JSON.stringify(x)
        expect(parseJsonExactly(text)).toEqual(JSON.parse(text))
        // A long number forces the slow path.
        const both = parseJsonExactly(`[${text},1.00000000000000000001]`) as unknown[]
        expect(both[0]).toEqual(JSON.parse(text))
      }),
      runs,
    )
  })

  it('equals JSON.parse for any short text without three-digit exponents, including errors', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[[\]{},:"\\ 0-9ae.-]{0,15}$/))
    const outcome = (parse: (text: string) => unknown, written: string) => {
      try {
        return { value: parse(written) }
      } catch (error) {
        return { error: String(error) }
      }
    }
    fc.assert(
      fc.property(text, (written) => {
        fc.pre(!/[eE][+-]?[0-9]{3}/.test(written))
        expect(outcome(parseJsonExactly, written)).toEqual(outcome(JSON.parse, written))
      }),
      runs,
    )
  })

  it('handles 256 KiB of the worst input within seconds', () => {
    const startMs = performance.now()
    const deep = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`
    expect(scanJson(deep).depth).toBe(100_000)
    expect(parseJsonExactly(deep)).toHaveLength(1)
    const manyNumbers = `[${'12345678901234567890,'.repeat(12_000)}1]`
    expect(parseJsonExactly(manyNumbers)).toHaveLength(12_001)
    const duplicate = `{${'"a":{},'.repeat(30_000)}"a":1}`
    expect(findDuplicateKey(duplicate)).toBe('a')
    const distinct = Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()
    expect(findDuplicateKey(`{${distinct}}`)).toBe(null)
    expect(scanJson(`"${'\\\\'.repeat(120_000)}`).keys).toBe(0)
    expect(parseJsonExactly(`[1${'0'.repeat(250_000)}]`)).toHaveLength(1)
    expect(parseJsonExactly(`[0.${'0'.repeat(250_000)}]`)).toEqual([0])
    expect(parseJsonExactly(`[0.${'0'.repeat(250_000)}1]`)).toHaveLength(1)
    expect(parseJsonExactly(`["${'\\"'.repeat(120_000)}", 1234567890123456]`)).toHaveLength(2)
    expect(() => parseJsonExactly(`"${'\\"'.repeat(120_000)}`)).toThrow(SyntaxError)
    expect(() => parseJsonExactly(' 1e'.repeat(80_000))).toThrow(SyntaxError)
    expect(performance.now() - startMs).toBeLessThan(5_000)
  })
})

describe('storedObject', () => {
  const text = '{ "a": [9007199254740993, "$1 \\" \\u00e9"], "__proto__": {} }'

  it('writes the text as it is, and null as null', () => {
    const value = [storedObject(text), { b: parseJsonExactly('1e400') }, storedObject('{}')]
    expect(stringifyExactly(value)).toBe(`[${text},{"b":1e400},{}]`)
    expect(stringifyExactly(storedObject(null))).toBe('null')
  })

  it('is the object for JSON.stringify', () => {
    expect(JSON.stringify([storedObject('{ "a": 1.0 }')])).toBe('[{"a":1}]')
  })
})

describe('stringifyExactly', () => {
  it.each([
    '{"a":9007199254740993,"b":[1e400,-0.10000000000000000001,{"c":123456789012345678901234567890}]}',
    '{"toJSON":9007199254740993,"a":{"toJSON":1e400}}',
    '[9007199254740993,"9007199254740993"]',
    '12345678901234567890',
  ])('round trips %s', (text) => {
    expect(stringifyExactly(parseJsonExactly(text))).toBe(text)
  })

  it('indents like JSON.stringify', () => {
    const value = parseJsonExactly('{"a":[9007199254740993]}')
    expect(stringifyExactly(value, 2)).toBe('{\n  "a": [\n    9007199254740993\n  ]\n}')
  })

  it('equals JSON.stringify if every number is a double', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(stringifyExactly(value)).toBe(JSON.stringify(value))
      }),
      { numRuns: 1_000 },
    )
  })

  it('writes plain numbers again after a value that cannot be serialized', () => {
    expect(() => stringifyExactly({ a: 1n })).toThrow(TypeError)
    expect(JSON.stringify([parseJsonExactly('9007199254740993')])).toBe('[9007199254740992]')
  })
})
