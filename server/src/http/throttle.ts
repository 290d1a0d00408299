/** Lets so many through per key and minute; a bucket that fills again steadily, not at once. */
export function throttle({ perMinute, maxKeys }: { perMinute: number; maxKeys: number }) {
  const buckets = new Map<string, { level: number; at: number }>()

  function levelOf(key: string, now: number): number {
    const bucket = buckets.get(key)
    if (bucket === undefined) return 0
    return Math.max(0, bucket.level - ((now - bucket.at) * perMinute) / 60_000)
  }

  return {
    isFull(key: string): boolean {
      return levelOf(key, performance.now()) > perMinute - 1
    },
    add(key: string, drops = 1): void {
      const now = performance.now()
      const level = Math.max(0, levelOf(key, now) + drops)
      // Least recently used first, so that many keys push out the idle ones.
      buckets.delete(key)
      buckets.set(key, { level, at: now })
      if (buckets.size > maxKeys) {
        const oldest = buckets.keys().next()
        if (!oldest.done) buckets.delete(oldest.value)
      }
    },
  }
}
