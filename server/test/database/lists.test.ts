import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

/** Sends an array and reads it back, one element per row. */
async function readBack(type: string, list: readonly unknown[]): Promise<unknown[]> {
  const rows = await t.database.query<{ value: unknown }>(
    `select u.value from unnest($1::${type}[]) with ordinality as u (value, n) order by u.n`,
    [list],
  )
  return rows.map((row) => row.value)
}

it('sends every string unchanged', async () => {
  const texts = [
    '',
    ' ',
    'NULL',
    'null',
    'plain',
    'a,b',
    '{}',
    '{"a":"b"}',
    '"',
    '\\',
    '\\"',
    '"\\',
    '\\\\n',
    'line\nbreak',
    'tab\t"quoted"',
    '\u0001"',
    '\u001f\\',
    '\u007f"',
    '\\u0041',
    '\\"\n',
    'é"',
    '漢字"',
    '😀"',
    '😀\\\n',
    '\u2028"',
    'ي"',
    "it's",
    '$1',
    '{NULL,"x"}',
    JSON.stringify({ text: 'a "b" \\ \n \u0000 😀', nested: [{ x: '\\' }] }),
  ]
  expect(await readBack('text', texts)).toEqual(texts)
  // Again with each element twice in a row, because a run of equal elements is encoded once.
  const runs = texts.flatMap((text) => [text, text, null])
  expect(await readBack('text', runs)).toEqual(runs)
})

it('sends numbers, times, bytes and nulls', async () => {
  const big = [0n, -1n, 9_223_372_036_854_775_807n, null, 5n, 5n]
  expect(await readBack('bigint', big)).toEqual(big)
  const numbers = [0, -7, null, 2_147_483_647, 3, 3]
  expect(await readBack('int', numbers)).toEqual(numbers)
  const at = new Date('2026-02-28T23:59:59.999Z')
  const times = [at, at, null, new Date(0), new Date('1969-07-20T20:17:40Z')]
  expect(await readBack('timestamptz', times)).toEqual(times)
  const bytes = [Buffer.from([0, 1, 34, 92, 255]), Buffer.alloc(0), null, Buffer.from('"\\')]
  expect(await readBack('bytea', bytes)).toEqual(bytes)
  expect(await readBack('boolean', [true, false, null])).toEqual([true, false, null])
  expect(await readBack('text', [])).toEqual([])
  expect(await readBack('text', [null, undefined])).toEqual([null, null])
})

it("refuses types that it doesn't support", async () => {
  for (const unsupported of [{}, ['a'], new Map(), new Uint8Array(2)]) {
    await expect(readBack('text', ['a', unsupported])).rejects.toThrow(
      'An array parameter must contain',
    )
  }
})
