import { type PaymentId, parsePaymentId, type StoreId, type WalletNumber } from '../core/ids.ts'
import type { Status } from '../core/payment.ts'

// Notifications from other processes may be lost, so waiting requests also poll.
const POLL_MS = 5_000
const POLL_WITHOUT_CHANNEL_MS = 1_000

/** Wakes the requests of this process that wait for a payment, any payment of a store, or the money of a wallet to change. */
type PaymentChanges = ReturnType<typeof createPaymentChanges>

/** `isChannelOpen`: whether notifications from other processes arrive here. */
export function createPaymentChanges(isChannelOpen: () => boolean) {
  const payments = createWatchers<PaymentId>()
  const stores = createWatchers<StoreId>()
  const wallets = createWatchers<WalletNumber>()

  return {
    announce(paymentId: PaymentId): void {
      payments.wake(paymentId)
      if (stores.isEmpty()) return
      const parsed = parsePaymentId(paymentId)
      if (parsed !== null) stores.wake(parsed.storeId)
    },
    /** For a new payment, which no client can wait for yet. */
    announceStore: stores.wake,
    announceWallet: wallets.wake,
    /** Calls `wake` at every announcement of the payment. Returns a function that stops watching. */
    watch: payments.watch,
    /** Calls `wake` at every announcement of a payment of the store. */
    watchStore: stores.watch,
    /** Calls `wake` when money of the wallet moves. */
    watchWallet: wallets.watch,
    /** Resolves at the next announcement or after `timeoutMs`, whichever comes first. */
    next(paymentId: PaymentId, timeoutMs: number): Promise<void> {
      return new Promise((resolve) => {
        const timer = setTimeout(wake, timeoutMs)
        const unwatch = payments.watch(paymentId, wake)
        function wake() {
          clearTimeout(timer)
          unwatch()
          resolve()
        }
      })
    },
    pollMs: (): number => (isChannelOpen() ? POLL_MS : POLL_WITHOUT_CHANNEL_MS),
    wakeAll(): void {
      payments.wakeAll()
      stores.wakeAll()
      wallets.wakeAll()
    },
  }
}

function createWatchers<Key>() {
  const watching = new Map<Key, Set<() => void>>()
  const wakeEach = (callbacks: ReadonlySet<() => void> | undefined) => {
    for (const wake of [...(callbacks ?? [])]) wake()
  }
  return {
    isEmpty: () => watching.size === 0,
    wake: (key: Key): void => wakeEach(watching.get(key)),
    wakeAll(): void {
      for (const callbacks of [...watching.values()]) wakeEach(callbacks)
    },
    watch(key: Key, wake: () => void): () => void {
      const callbacks = watching.get(key) ?? new Set()
      watching.set(key, callbacks.add(wake))
      return () => {
        callbacks.delete(wake)
        if (callbacks.size === 0 && watching.get(key) === callbacks) watching.delete(key)
      }
    },
  }
}

/** Resolves with the status when it is no longer pending, after `waitMs`, or when `isOver` is true at a poll. */
export async function waitUntilSettled(
  changes: PaymentChanges,
  paymentId: PaymentId,
  read: () => Promise<Status | null>,
  { waitMs, isOver }: { waitMs: number; isOver: () => boolean },
): Promise<Status | null> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    // Start listening before the read, so that a change between the two is not missed.
    const leftMs = deadlineMs - performance.now()
    const changed = changes.next(paymentId, Math.max(0, Math.min(leftMs, changes.pollMs())))
    const status = await read()
    if (status !== 'pending' || leftMs <= 0 || isOver()) return status
    await changed
  }
}
