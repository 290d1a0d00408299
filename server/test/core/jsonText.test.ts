import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDuplicateKey, scanJson } from '../../src/core/jsonText.ts'

const runs = { numRuns: 2_000 }

describe('scanJson', () => {
  it.each([
    ['1', 0, 0, 1],
    ['"a:[{"', 0, 0, 1],
    ['{}', 1, 0, 1],
    ['[[]]', 2, 0, 2],
    ['[1,[],{},"a,b"]', 2, 0, 5],
    ['{"a":{"b":[1]}}', 3, 2, 4],
    ['[{"a":1},[[[]]],{"b":":"}]', 4, 2, 8],
    ['{"\\"":"\\\\","b":"\\\\\\":{"}', 1, 2, 3],
  ])('%s has %s levels, %s keys and %s values', (text, depth, keys, values) => {
    JSON.parse(text)
    expect(scanJson(text)).toEqual({ depth, keys, values, unusualNumbers: 0 })
  })

  it('counts the numbers that a double may not hold as written', () => {
    const text = '[1.5,-0,1e5,123456789012345,1234567890123456,1e400,"1e400",0.1234567890123456]'
    expect(scanJson(text).unusualNumbers).toBe(3)
  })
})

describe('findDuplicateKey', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"amount":1,"\\u0061mount":2}', 'amount'],
    ['{"payload":{"list":[{"b":1},{"b":1,"c":{},"b":[]}]}}', 'b'],
    ['{"a":{"b":1},"b":2,"a":3}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"\\"":1,"\\u0022":2}', '"'],
    ['{"a":1,"A":2,"b":{"a":3},"c":[{"a":4},{"a":5}]}', null],
    ['{"a":"a","b":"b","c":["a","a"]}', null],
    ['[]', null],
    ['"a"', null],
  ])('of %s is %s', (text, expected) => {
    JSON.parse(text)
    expect(findDuplicateKey(text)).toBe(expected)
  })

  it('agrees with the number of keys that JSON.parse keeps', () => {
    const key = fc.constantFrom('a', 'b', '\\u0061', '1', '')
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '"a:"', 'null'),
        fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
        fc
          .array(fc.tuple(key, tie('tree')), { maxLength: 4 })
          .map((fields) => `{${fields.map(([name, value]) => `"${name}" : ${value}`).join()}}`),
      ),
    }))
    const countKeys = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce(
            (sum: number, child) => sum + countKeys(child),
            Array.isArray(value) ? 0 : Object.keys(value).length,
          )
        : 0
    fc.assert(
      fc.property(tree as fc.Arbitrary<string>, (text) => {
        const hasAllKeys = countKeys(JSON.parse(text)) === scanJson(text).keys
        expect(findDuplicateKey(text) === null).toBe(hasAllKeys)
      }),
      runs,
    )
  })
})
