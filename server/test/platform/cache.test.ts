import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { createCache } from '../../src/platform/cache.ts'

const LONG = { maxAgeMs: 60_000, maxEntries: 2 }

it('returns a cached value, and nothing before it is loaded', async () => {
  let resolveLoad: (value: string) => void = () => {}
  const cache = createCache<string, string | null>(
    () => new Promise((resolve) => (resolveLoad = resolve)),
    LONG,
  )
  expect(cache.peek('key')).toBeUndefined()
  const result = cache.get('key')
  expect(cache.peek('key')).toBeUndefined()
  resolveLoad('value')
  expect(await result).toBe('value')
  expect(cache.peek('key')).toBe('value')
  expect(cache.peek('other')).toBeUndefined()
})

it('forgets immediately, even while a value is being loaded', async () => {
  let value = 'old'
  const cache = createCache(async () => value, LONG)
  await cache.get('key')
  cache.forget('key')
  expect(cache.peek('key')).toBeUndefined()

  const result = cache.get('key')
  cache.forget('key')
  value = 'new'
  expect(await result).toBe('old')
  expect(cache.peek('key')).toBeUndefined()
  expect(await cache.get('key')).toBe('new')
  cache.forgetAll()
  expect(cache.peek('key')).toBeUndefined()
})

it('refreshes a cached value, at most once a second', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    let loads = 0
    const cache = createCache(async () => ++loads, LONG)
    expect(await cache.get('key')).toBe(1)
    expect(await cache.refresh('key')).toBe(2)
    expect([cache.peek('key'), await cache.refresh('key')]).toEqual([2, 2])
    vi.advanceTimersByTime(999)
    expect(await cache.refresh('key')).toBe(2)
    vi.advanceTimersByTime(1)
    expect(await cache.refresh('key')).toBe(3)
  } finally {
    vi.useRealTimers()
  }
})

it('drops values that are too old, that failed to load or that were evicted', async () => {
  const short = createCache(async () => 'value', { maxAgeMs: 20, maxEntries: 2 })
  await short.get('key')
  await vi.waitFor(() => expect(short.peek('key')).toBeUndefined(), 20_000)

  const failing = createCache(() => Promise.reject<string>(new Error('unavailable')), LONG)
  await expect(failing.get('key')).rejects.toThrow('unavailable')
  expect(failing.peek('key')).toBeUndefined()

  const full = createCache(async (key: string) => key, LONG)
  for (const key of ['a', 'b', 'c']) await full.get(key)
  await sleep(0)
  expect(['a', 'b', 'c'].map(full.peek)).toEqual([undefined, 'b', 'c'])
})
