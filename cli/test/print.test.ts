import { afterEach, expect, it, vi } from 'vitest'
import { print } from '../src/print.ts'

afterEach(() => vi.restoreAllMocks())

function printed(value: unknown, json: boolean): string {
  let text = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk
    return true
  })
  print(value, { json, columns: null })
  vi.restoreAllMocks()
  return text
}

it('escapes control characters in names', () => {
  const name = 'Tea\x1b]0;owned\x07\x1b[2J\x9b31m\r\nstore 2  Fake\u202eeht'
  const safe = 'Tea\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u000d\\u000astore 2  Fake\\u202eeht'
  expect(printed({ name }, false)).toBe(`name  ${safe}\n`)
  expect(printed({ stores: [{ id: 1, name }] }, false).split('\n')).toHaveLength(3)
  const json = printed({ name }, true)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  expect(JSON.parse(json)).toEqual({ name })
})

it('prints balances as amounts with their currencies', () => {
  const balances = [
    { currency: 'EUR', balance: '1.50' },
    { currency: 'USD', balance: '0.00' },
  ]
  expect(printed({ name: 'Ada', balances }, false)).toContain('balances  1.50 EUR, 0.00 USD\n')
})
