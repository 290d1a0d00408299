const MAX_ROUND_TRIP_MS = 1_000

/**
 * A clock that returns the database's time without a query. After the first `sync` it uses only the monotonic clock of this
 * machine, because the wall clock may be wrong or be set at any moment.
 */
export function createDatabaseClock(readTime: () => Promise<Date>) {
  let offsetMs = offsetOf(Date.now(), performance.now())
  return {
    now: () => new Date(performance.now() + offsetMs),
    async sync(): Promise<void> {
      const sentMs = performance.now()
      const at = await readTime()
      // After a slow reply, it is unclear which moment the time belongs to.
      if (performance.now() - sentMs > MAX_ROUND_TRIP_MS) return
      offsetMs = offsetOf(at.getTime(), sentMs)
    },
  }
}

/**
 * Rounds up, because the clock may be ahead but not behind: an expired row must not become valid again.
 * Counts from the time of sending and adds the millisecond that the database's time may have lost.
 */
const offsetOf = (atMs: number, sentMs: number) => atMs + 1 - sentMs
