import type { PaymentId } from '../core/ids.ts'
import type { Status } from '../core/payment.ts'

/** Who in this process waits for a payment to change, told after the commit. */
export type PaymentChanges = ReturnType<typeof paymentChanges>

export function paymentChanges() {
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
    wakeAll(): void {
      for (const wakers of [...waiting.values()]) for (const wake of [...wakers]) wake()
    },
  }
}

/** A change made by another process is seen at the latest after this. */
const LOOK_AGAIN_MS = 1_000

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
    const changed = changes.next(paymentId, Math.max(0, Math.min(left, LOOK_AGAIN_MS)))
    const status = await read()
    if (status !== 'pending' || left <= 0 || isOver()) return status
    await changed
  }
}
