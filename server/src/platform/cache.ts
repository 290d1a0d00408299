/** Caches lookups for a short time. The number of entries is limited, because clients choose the keys. */
type Cache<Key, Value> = {
  get(key: Key): Promise<Value>
  /** Returns a cached value synchronously, or undefined. */
  peek(key: Key): Value | undefined
  /** Reloads a value that may be outdated, at most once a second per key. */
  refresh(key: Key): Promise<Value>
  forget(key: Key): void
  forgetAll(): void
}

const MIN_REFRESH_MS = 1_000

export function createCache<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { maxAgeMs, maxEntries }: { maxAgeMs: number; maxEntries: number },
): Cache<Key, Value> {
  type Entry = {
    readonly untilMs: number
    readonly value: Promise<Value>
    readonly refreshedMs: number
    settled?: Value
  }
  const entries = new Map<Key, Entry>()
  const find = (key: Key) => {
    const entry = entries.get(key)
    return entry !== undefined && entry.untilMs > performance.now() ? entry : undefined
  }
  function add(key: Key, refreshedMs: number): Promise<Value> {
    const value = load(key)
    const entry: Entry = { untilMs: performance.now() + maxAgeMs, value, refreshedMs }
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
  }
  return {
    peek: (key) => find(key)?.settled,
    get: (key) => find(key)?.value ?? add(key, Number.NEGATIVE_INFINITY),
    refresh(key) {
      const nowMs = performance.now()
      const entry = find(key)
      const isRecent = entry !== undefined && nowMs - entry.refreshedMs < MIN_REFRESH_MS
      return isRecent ? entry.value : add(key, nowMs)
    },
    forget: (key) => void entries.delete(key),
    forgetAll: () => entries.clear(),
  }
}
