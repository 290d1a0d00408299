import { limitConcurrency, limitPerKey } from '../core/limitConcurrency.ts'
import { isLockTimeout } from './errors.ts'

export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** Limits batches that may wait for a stuck lock, because each holds a connection while it waits. */
export type SeparateRuns = {
  /** Batches of quarantined groups. At most one for each suspect lock of an op runs or waits here. */
  readonly quarantined: Limit
  /** The parts of a split batch. Most of them don't need a stuck lock, so they don't wait for the other kind. */
  readonly parts: Limit
}

const MAX_SEPARATE_WAIT_MS = 15_000

/** A pool of three or more connections keeps a third of them for ordinary batches. */
export function createSeparateRuns(poolSize = Number.POSITIVE_INFINITY): SeparateRuns {
  const upTo = (most: number) =>
    limitConcurrency({
      running: Math.max(1, Math.min(most, Math.floor(poolSize / 3))),
      waiting: Number.POSITIVE_INFINITY,
      maxWaitMs: MAX_SEPARATE_WAIT_MS,
    })
  return { quarantined: upTo(2), parts: upTo(4) }
}

/** How long locks that timed out are suspects, unless a batch gets them before. */
const QUARANTINE_MS = 5_000

type QuarantineOptions = {
  readonly maxWaiting: number
  readonly maxWaitMs: number | undefined
  readonly separateRuns: SeparateRuns
}

/**
 * The suspect locks of an op: those that timed out and may be stuck. Requests that take one run in batches of their own, so that
 * they don't hold up the others.
 */
export function createQuarantine({ maxWaiting, maxWaitMs, separateRuns }: QuarantineOptions) {
  const suspectUntilMs = new Map<string, number>()
  const isSuspect = (lock: string) => suspectUntilMs.has(lock)
  /** How many batches that wait or run need a suspect lock. It stays a suspect until they end. */
  const runs = new Map<string, number>()
  /** A batch that did not get the lock in time refuses those that wait: they would not get it either. */
  const runForLock = limitPerKey({
    running: 1,
    waiting: maxWaiting,
    maxWaitMs: maxWaitMs ?? MAX_SEPARATE_WAIT_MS,
    isStuck: isLockTimeout,
  })

  return {
    /** Whether one of the locks is a suspect. */
    has: (locks: readonly string[]) => locks.some(isSuspect),

    /** Whether there are suspects. Forgets those whose time is over, unless a batch needs them. */
    isActive(): boolean {
      for (const [lock, untilMs] of suspectUntilMs) {
        if (untilMs < performance.now() && !runs.has(lock)) suspectUntilMs.delete(lock)
      }
      return suspectUntilMs.size > 0
    },

    /** Makes suspects of the locks of a batch that timed out. */
    add(locks: readonly string[]): void {
      // A lock that was a suspect before is probably the stuck one. Don't suspect the others because of it.
      const known = locks.filter(isSuspect)
      const untilMs = performance.now() + QUARANTINE_MS
      for (const lock of known.length > 0 ? known : locks) suspectUntilMs.set(lock, untilMs)
    },

    /** Runs a batch whose requests all take these locks. */
    async run<T>(locks: readonly string[], work: () => Promise<T>): Promise<T> {
      const suspects = locks.filter(isSuspect)
      for (const lock of suspects) runs.set(lock, (runs.get(lock) ?? 0) + 1)
      try {
        // If a store and its payer are suspects, wait for the payer: a stuck wallet must not fail the other payers of the store.
        const result = await runForLock(suspects.at(-1) ?? locks.at(-1)!, () =>
          separateRuns.quarantined(work),
        )
        // The locks are free again, or were never stuck.
        for (const lock of locks) suspectUntilMs.delete(lock)
        return result
      } finally {
        for (const lock of suspects) {
          const left = runs.get(lock)! - 1
          if (left === 0) runs.delete(lock)
          else runs.set(lock, left)
        }
      }
    },
  }
}
