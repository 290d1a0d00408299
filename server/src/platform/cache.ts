/** Caches lookups for a short time. The number of entries is limited, because clients choose the keys. */
type Cache<Key, Value> = {
  get(key: Key): Promise<Value>
  /** Returns a cached value synchronously, or undefined. */
  peek(key: Key): Value | undefined
  forget(key: Key): void
  forgetAll(): void
}

export function createCache<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { maxAgeMs, maxEntries }: { maxAgeMs: number; maxEntries: number },
): Cache<Key, Value> {
  type Entry = { readonly untilMs: number; readonly value: Promise<Value>; settled?: Value }
  const entries = new Map<Key, Entry>()
  const find = (key: Key) => {
    const entry = entries.get(key)
    return entry !== undefined && entry.untilMs > performance.now() ? entry : undefined
  }
  return {
    peek: (key) => find(key)?.settled,
    get(key) {
      const cached = find(key)
      if (cached !== undefined) return cached.value
      const value = load(key)
      const entry: Entry = { untilMs: performance.now() + maxAgeMs, value }
      entries.delete(key)
      entries.set(key, entry)
      value.then(
        (settled) => {
          entry.settled = settled
        },
        // Don't cache a failure: the next request tries again.
        () => {
          if (entries.get(key) === entry) entries.delete(key)
        },
      )
      if (entries.size > maxEntries) {
        const oldest = entries.keys().next()
        if (!oldest.done) entries.delete(oldest.value)
      }
      return value
    },
    forget: (key) => void entries.delete(key),
    forgetAll: () => entries.clear(),
  }
}
