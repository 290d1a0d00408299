import type { PaymentId } from '../core/ids.ts'
import type { Status } from '../core/payment.ts'

// A change made by another process is told to this one, but what is told may be missed.
const LOOK_AGAIN_MS = 5_000
const LOOK_AGAIN_DEAF_MS = 1_000

/** Who in this process waits for a payment to change, told after the commit. */
export type PaymentChanges = ReturnType<typeof paymentChanges>

/** `hearsOthers`: whether what other processes commit is announced here as well. */
export function paymentChanges(hearsOthers: () => boolean) {
  const watching = new Map<PaymentId, Set<() => void>>()

  /** Calls `wake` at every announcement, until the answer is called. */
  function watch(paymentId: PaymentId, wake: () => void): () => void {
    const wakers = watching.get(paymentId) ?? new Set()
    watching.set(paymentId, wakers.add(wake))
    return () => {
      wakers.delete(wake)
      if (wakers.size === 0 && watching.get(paymentId) === wakers) watching.delete(paymentId)
    }
  }

  return {
    announce(paymentId: PaymentId): void {
      for (const wake of [...(watching.get(paymentId) ?? [])]) wake()
    },
    watch,
    /** Resolves at the next announcement or after `timeoutMs`, whichever comes first. */
    next(paymentId: PaymentId, timeoutMs: number): Promise<void> {
      return new Promise((resolve) => {
        const timer = setTimeout(wake, timeoutMs)
        const unwatch = watch(paymentId, wake)
        function wake() {
          clearTimeout(timer)
          unwatch()
          resolve()
        }
      })
    },
    lookAgainMs: () => (hearsOthers() ? LOOK_AGAIN_MS : LOOK_AGAIN_DEAF_MS),
    wakeAll(): void {
      for (const wakers of [...watching.values()]) for (const wake of [...wakers]) wake()
    },
  }
}

/** Answers when the status is no longer pending, or after `waitMs` with whatever it is then. */
export async function waitUntilSettled(
  changes: PaymentChanges,
  paymentId: PaymentId,
  read: () => Promise<Status | null>,
  { waitMs, isOver }: { waitMs: number; isOver: () => boolean },
): Promise<Status | null> {
  const deadline = performance.now() + waitMs
  for (;;) {
    // Listening starts before the look, so that a change between the two is not missed.
    const left = deadline - performance.now()
    const changed = changes.next(paymentId, Math.max(0, Math.min(left, changes.lookAgainMs())))
    const status = await read()
    if (status !== 'pending' || left <= 0 || isOver()) return status
    await changed
  }
}
