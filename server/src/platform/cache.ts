/**
 * Remembers what a lookup found for a short while, so that a request costs no lookup of its own.
 * Bounded, because keys come from outside.
 */
export type Recent<Key, Value> = {
  get(key: Key): Promise<Value>
  /** What is remembered, without waiting for anything; undefined where nothing is. */
  known(key: Key): Value | undefined
  forget(key: Key): void
  forgetAll(): void
}

export function recent<Key, Value>(
  load: (key: Key) => Promise<Value>,
  { maxAgeMs, maxEntries }: { maxAgeMs: number; maxEntries: number },
): Recent<Key, Value> {
  type Entry = { readonly until: number; readonly value: Promise<Value>; settled?: Value }
  const entries = new Map<Key, Entry>()
  const inTime = (entry: Entry | undefined) =>
    entry !== undefined && entry.until > performance.now() ? entry : undefined
  return {
    known: (key) => inTime(entries.get(key))?.settled,
    get(key) {
      const known = inTime(entries.get(key))
      if (known !== undefined) return known.value
      const value = load(key)
      const entry: Entry = { until: performance.now() + maxAgeMs, value }
      entries.delete(key)
      entries.set(key, entry)
      value.then(
        (settled) => {
          entry.settled = settled
        },
        // A failure is not remembered: the next request tries again.
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
