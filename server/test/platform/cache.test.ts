import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { recent } from '../../src/platform/cache.ts'

const LONG = { maxAgeMs: 60_000, maxEntries: 2 }

it('knows what was found, and nothing before it was', async () => {
  let found: (value: string) => void = () => {}
  const remembered = recent<string, string | null>(
    () => new Promise((resolve) => (found = resolve)),
    LONG,
  )
  expect(remembered.known('key')).toBeUndefined()
  const asked = remembered.get('key')
  expect(remembered.known('key')).toBeUndefined()
  found('value')
  expect(await asked).toBe('value')
  expect(remembered.known('key')).toBe('value')
  expect(remembered.known('other')).toBeUndefined()
})

it('forgets at once, also what is still being looked for', async () => {
  let value = 'old'
  const remembered = recent(async () => value, LONG)
  await remembered.get('key')
  remembered.forget('key')
  expect(remembered.known('key')).toBeUndefined()

  const asked = remembered.get('key')
  remembered.forget('key')
  value = 'new'
  expect(await asked).toBe('old')
  expect(remembered.known('key')).toBeUndefined()
  expect(await remembered.get('key')).toBe('new')
  remembered.forgetAll()
  expect(remembered.known('key')).toBeUndefined()
})

it('knows nothing that is too old, that failed or that was pushed out', async () => {
  const short = recent(async () => 'value', { maxAgeMs: 20, maxEntries: 2 })
  await short.get('key')
  await vi.waitFor(() => expect(short.known('key')).toBeUndefined(), 20_000)

  const failing = recent(() => Promise.reject<string>(new Error('away')), LONG)
  await expect(failing.get('key')).rejects.toThrow('away')
  expect(failing.known('key')).toBeUndefined()

  const full = recent(async (key: string) => key, LONG)
  for (const key of ['a', 'b', 'c']) await full.get(key)
  await sleep(0)
  expect(['a', 'b', 'c'].map(full.known)).toEqual([undefined, 'b', 'c'])
})
