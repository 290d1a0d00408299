import type { Mode, PaymentId } from '../core/ids.ts'
import { isFinal, type PaymentKey, type Status } from '../core/payment.ts'

const MAX_CACHED = 50_000

/** Caches the statuses that can no longer change. Only the mode is compared, because the id of a payment contains its store. */
export function cacheFinalStatuses(read: (key: PaymentKey) => Promise<Status | null>) {
  const cache = new Map<PaymentId, { readonly mode: Mode; readonly status: Status }>()
  return async (key: PaymentKey): Promise<Status | null> => {
    const cached = cache.get(key.paymentId)
    if (cached !== undefined && cached.mode === key.mode) return cached.status
    const status = await read(key)
    if (status !== null && isFinal(status)) {
      cache.set(key.paymentId, { mode: key.mode, status })
      if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
    }
    return status
  }
}
