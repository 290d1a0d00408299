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
  [' =1', "' =1"],
  ['\u00a0@x', "'\u00a0@x"],
  ['\tplain', '"\'\tplain"'],
  ['\n=1', '"\'\n\'=1"'],
  ['a = b - c', 'a = b - c'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\nlines"'],
  // If a semicolon, a tab or a line break ends a cell, this would be a separate formula.
  ['Bob;=cmd()', '"Bob;\'=cmd()"'],
  ['Bob\t+1', '"Bob\t\'+1"'],
  ['Bob\r\n-1', '"Bob\n\'-1"'],
  ['Bob\r@x', '"Bob\n\'@x"'],
  ['a;; ＝1;b', '"a;;\' ＝1;b"'],
  ['a\v=1\u2028=2', "a\v'=1\u2028'=2"],
  // Quotes in the text are doubled. A program that ends cells at semicolons reads them as an empty text before the formula.
  ['Bob;"=1', '"Bob;\'""=1"'],
  // Every program that ends a cell at a comma respects the quotes.
  ['Bob,=1', '"Bob,=1"'],
  ['a\tb', '"a\tb"'],
])('%j becomes %j', (text, cell) => {
  expect(csvLine([text, null, 'x'])).toBe(`${cell},,x\r\n`)
})

it('takes linear time for any content of a cell', () => {
  // Quadratic time would exceed the timeout of the test.
  for (const text of ['\t', ' ', ';', '; ', '\n "', ' \t'])
    expect(csvLine([text.repeat(500_000)]).length).toBeGreaterThan(500_000)
})
