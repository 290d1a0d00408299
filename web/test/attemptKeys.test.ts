import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUncertain, forgetAllKeys, forgetKey, keyFor } from '../src/wallet/attemptKeys.ts'

const HOUR_MS = 3_600_000
const COFFEE = { name: '7 lnk_coffee', amount: '3.00', rate: '1.1000', donation: '0.00' }
const BREAD = { ...COFFEE, name: '7 lnk_bread' }

beforeEach(() => {
  const items = new Map<string, string>()
  const localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
  }
  vi.stubGlobal('window', { localStorage })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the key of an attempt to pay', () => {
  it('is the same for the same terms, and differs for other terms', () => {
    const { key } = keyFor(COFFEE)
    expect(keyFor(COFFEE).key).toBe(key)
    expect(keyFor({ ...COFFEE, amount: '4.00' }).key).not.toBe(key)
  })

  it('stays while the payer pays something else', () => {
    const { key } = keyFor(COFFEE)
    keyFor(BREAD)
    forgetKey(BREAD)
    expect(keyFor(COFFEE).key).toBe(key)
  })

  it('is new after the outcome is known', () => {
    const { key } = keyFor(COFFEE)
    forgetKey(COFFEE)
    expect(keyFor(COFFEE).key).not.toBe(key)
  })

  it('is new after the payer has signed out', () => {
    const { key } = keyFor(COFFEE)
    forgetAllKeys()
    expect(window.localStorage.getItem('florin.wallet.attempts')).toBeNull()
    expect(keyFor(COFFEE).key).not.toBe(key)
  })

  it('is replaced before it expires in the service', () => {
    vi.useFakeTimers({ now: 0 })
    const { key } = keyFor(COFFEE)
    vi.setSystemTime(22 * HOUR_MS)
    expect(keyFor(COFFEE).key).toBe(key)
    vi.setSystemTime(23 * HOUR_MS)
    expect(keyFor(COFFEE).key).not.toBe(key)
  })

  it('stays until the page is closed if the browser forbids storage, or the storage is full', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('', 'QuotaExceededError')
      },
    }
    for (const window of [{}, { localStorage: full }]) {
      vi.stubGlobal('window', window)
      const { key } = keyFor(COFFEE)
      expect(keyFor(COFFEE).key).toBe(key)
      forgetKey(COFFEE)
      expect(keyFor(COFFEE).key).not.toBe(key)
      forgetKey(COFFEE)
    }
  })
})

describe('an uncertain attempt', () => {
  it('is found until its outcome is known', () => {
    expect(findUncertain(COFFEE)).toBeNull()
    keyFor(COFFEE)
    expect(findUncertain(COFFEE)).toEqual(COFFEE)
    forgetKey(COFFEE)
    expect(findUncertain(COFFEE)).toBeNull()
  })

  it('is not that of another link, wallet or amount', () => {
    keyFor(COFFEE)
    for (const other of [
      { name: '7 lnk_bread' },
      { name: '17 lnk_coffee' },
      { amount: '4.00' },
      { amount: null },
    ]) {
      expect(findUncertain({ ...COFFEE, ...other })).toBeNull()
    }
  })

  it('is not found once the key is too old', () => {
    vi.useFakeTimers({ now: 0 })
    keyFor(COFFEE)
    vi.setSystemTime(23 * HOUR_MS)
    expect(findUncertain(COFFEE)).toBeNull()
  })
})
