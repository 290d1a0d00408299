import type { PaymentId } from '../core/ids.ts'
import type { Status } from '../core/payment.ts'

// A change made by another process is told to this one, but what is told may be missed.
const LOOK_AGAIN_MS = 5_000
const LOOK_AGAIN_DEAF_MS = 1_000

/** Who in this process waits for a payment to change, told after the commit. */
export type PaymentChanges = ReturnType<typeof paymentChanges>

/** `hearsOthers`: whether what other processes commit is announced here as well. */
export function paymentChanges(hearsOthers: () => boolean) {
  const waiting = new Map<PaymentId, Set<() => void>>()

  return {
    announce(paymentId: PaymentId): void {
      for (const wake of waiting.get(paymentId) ?? []) wake()
    },
    /** Resolves at the next announcement or after `timeoutMs`, whichever comes first. */
    next(paymentId: PaymentId, timeoutMs: number): Promise<void> {
      return new Promise((resolve) => {
        const wakers = waiting.get(paymentId) ?? new Set()
        waiting.set(paymentId, wakers)
        const timer = setTimeout(wake, timeoutMs)
        function wake() {
          clearTimeout(timer)
          wakers.delete(wake)
          if (wakers.size === 0) waiting.delete(paymentId)
          resolve()
        }
        wakers.add(wake)
      })
    },
    lookAgainMs: () => (hearsOthers() ? LOOK_AGAIN_MS : LOOK_AGAIN_DEAF_MS),
    wakeAll(): void {
      for (const wakers of [...waiting.values()]) for (const wake of [...wakers]) wake()
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
  const deadline = Date.now() + waitMs
  for (;;) {
    // Listening starts before the look, so that a change between the two is not missed.
    const left = deadline - Date.now()
    const changed = changes.next(paymentId, Math.max(0, Math.min(left, changes.lookAgainMs())))
    const status = await read()
    if (status !== 'pending' || left <= 0 || isOver()) return status
    await changed
  }
}
