import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetKey, keyFor } from '../src/wallet/attemptKeys.ts'

const HOUR_MS = 3_600_000

beforeEach(() => {
  const items = new Map<string, string>()
  const sessionStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  }
  vi.stubGlobal('window', { sessionStorage })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the key of an attempt to pay', () => {
  it('is the same for the same terms, and differs for other terms', () => {
    const { key } = keyFor('coffee 3.00')
    expect(keyFor('coffee 3.00').key).toBe(key)
    expect(keyFor('coffee 4.00').key).not.toBe(key)
  })

  it('stays while the payer pays something else', () => {
    const { key } = keyFor('coffee 3.00')
    keyFor('bread 2.00')
    forgetKey('bread 2.00')
    expect(keyFor('coffee 3.00').key).toBe(key)
  })

  it('is new after the outcome is certain', () => {
    const { key } = keyFor('coffee 3.00')
    forgetKey('coffee 3.00')
    expect(keyFor('coffee 3.00').key).not.toBe(key)
  })

  it('is replaced before it expires in the service', () => {
    vi.useFakeTimers({ now: 0 })
    const { key } = keyFor('coffee 3.00')
    vi.setSystemTime(22 * HOUR_MS)
    expect(keyFor('coffee 3.00').key).toBe(key)
    vi.setSystemTime(23 * HOUR_MS)
    expect(keyFor('coffee 3.00').key).not.toBe(key)
  })

  it('is a new one each time if the browser forbids storage', () => {
    vi.stubGlobal('window', {})
    expect(keyFor('coffee 3.00').key).not.toBe(keyFor('coffee 3.00').key)
  })
})
