const MAX_LOOK_MS = 1_000

/**
 * The database's time without asking for it each time. Of this machine only the ticks are used, because
 * its clock may be wrong, and may be put right at any moment.
 */
export function databaseClock(readTime: () => Promise<Date>) {
  let apartMs = apart(Date.now(), performance.now())
  return {
    now: () => new Date(performance.now() + apartMs),
    async look(): Promise<void> {
      const askedMs = performance.now()
      const at = await readTime()
      // A late answer does not say which moment it is of.
      if (performance.now() - askedMs > MAX_LOOK_MS) return
      apartMs = apart(at.getTime(), askedMs)
    },
  }
}

/**
 * Rather a moment ahead than behind, because what has ended must not count again: from when it was asked,
 * and with the millisecond whose parts are cut off.
 */
const apart = (atMs: number, askedMs: number) => atMs + 1 - askedMs
