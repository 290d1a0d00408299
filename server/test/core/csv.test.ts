import { expect, it } from 'vitest'
import { csvLine } from '../../src/core/csv.ts'

it.each([
  ['plain', 'plain'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@x', "'@x"],
  ['＝1+1', "'＝1+1"],
  ['＠x', "'＠x"],
  ['\n=1', '"\'\n=1"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\nlines"'],
  // Where cells are parted by semicolons this would be a formula of its own.
  ['Bob;=cmd()', '"Bob;=cmd()"'],
  ['a\tb', '"a\tb"'],
])('%j becomes %j', (given, written) => {
  expect(csvLine([given, null, 'x'])).toBe(`${written},,x\r\n`)
})
