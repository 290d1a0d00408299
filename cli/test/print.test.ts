import { ConnectionError, RefusedError } from '@florin/sdk'
import { afterEach, expect, it, vi } from 'vitest'
import { printFailure, Refused } from '../src/failure.ts'
import { describeError } from '../src/merchant.ts'
import { print, printLine, showProgress } from '../src/print.ts'

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/

it('escapes control characters in lines, errors and progress', () => {
  let text = ''
  const collect = (chunk: string | Uint8Array) => {
    text += chunk
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(collect)
  vi.spyOn(process.stderr, 'write').mockImplementation(collect)
  const hostile = 'a\x1b]0;owned\x07\x9b2J\rb\u202ec'
  printLine(`one ${hostile}\n\ttwo`)
  printLine({ answer: hostile })
  const problems = [{ field: 'x', message: `x ${hostile}\nforged` }]
  for (const json of [false, true]) {
    printFailure(new Refused(`no ${hostile}`, problems), { json })
  }
  const { isTTY } = process.stderr
  process.stderr.isTTY = true
  showProgress(`${hostile}\nforged`)
  process.stderr.isTTY = isTTY
  // Progress starts with the sequence that clears its line.
  const [, progress] = text.split('\r\x1b[K')
  text = text.replace('\r\x1b[K', '')
  const answered = new RefusedError(`${hostile}\nforged`, { status: 409 })
  const { message } = describeError(answered, 'http://florin.example') as Error
  vi.restoreAllMocks()
  expect(progress).toContain('owned')
  expect(text).not.toMatch(CONTROLS)
  expect(text).toContain('\n\ttwo\n')
  expect(text).not.toContain('\nforged')
  expect(message).not.toMatch(CONTROLS)
  expect(message).not.toContain('\n')
})

it('names the option of the address if the response is not from Florin', () => {
  const error = new ConnectionError('The response 404 is not from Florin. Check baseUrl.')
  const { message } = describeError(error, 'http://florin.example') as Error
  expect(message).toContain('The response 404 is not from Florin. Check --url. Start it')
})

it('escapes control characters in the names of fields, such as those of a payload', () => {
  const payload = { 'a\x1b[2J': 1, inner: { 'b\rforged': 2 } }
  const text = printed({ payload }, false)
  expect(text).not.toMatch(CONTROLS)
  expect(text).toContain('payload.a\\u001b[2J  1\n')
})

it('prints each field of an object on its own line', () => {
  const activation = { code: 've6w-5y8z-f7rx', mailed_to: null }
  expect(printed({ name: 'Ada', pin_limits: {}, activation }, false)).toBe(
    [
      'name                  Ada',
      'pin_limits            -',
      'activation.code       ve6w-5y8z-f7rx',
      'activation.mailed_to  -',
      '',
    ].join('\n'),
  )
})

it('prints balances as amounts with their currencies', () => {
  const balances = [
    { currency: 'EUR', balance: '1.50' },
    { currency: 'USD', balance: '0.00' },
  ]
  expect(printed({ name: 'Ada', balances }, false)).toContain('balances  1.50 EUR, 0.00 USD\n')
})

it('prints several lists as a table each', () => {
  const queue = [{ mode: 'live', waiting: 2 }]
  const hosts = [
    { host: 'a.example', stores: 10 },
    { host: 'shop.example', stores: 1 },
  ]
  expect(printed({ queue, hosts, empty: [] }, false)).toBe(
    [
      'queue:',
      'mode  waiting',
      'live  2',
      '',
      'hosts:',
      'host          stores',
      'a.example     10',
      'shop.example  1',
      '',
      'empty:',
      'None.',
      '',
    ].join('\n'),
  )
})
