/**
 * Remembers what a lookup found for a short while, so that a request costs no lookup of its own.
 * Bounded, because keys come from outside.
 */
export type Recent<Key, Value> = {
  get(key: Key): Promise<Value>
  forget(key: Key): void
  forgetAll(): void
}

export function recent<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { maxAgeMs, maxEntries }: { maxAgeMs: number; maxEntries: number },
): Recent<Key, Value> {
  const entries = new Map<Key, { readonly until: number; readonly value: Promise<Value> }>()
  return {
    get(key) {
      const known = entries.get(key)
      if (known !== undefined && known.until > performance.now()) return known.value
      const value = load(key)
      entries.delete(key)
      entries.set(key, { until: performance.now() + maxAgeMs, value })
      // A failure is not remembered: the next request tries again.
      value.catch(() => {
        if (entries.get(key)?.value === value) entries.delete(key)
      })
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
