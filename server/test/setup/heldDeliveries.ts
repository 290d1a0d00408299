import type { StoreId } from '../../src/core/ids.ts'
import type { HeldDelivery } from '../../src/ops/events.ts'

let deliveryCount = 0
export const newDelivery = (storeId: number, host: string): HeldDelivery => {
  deliveryCount += 1
  return {
    storeId: storeId as StoreId,
    host,
    url: `https://${host}/`,
    sequence: 1,
    attempts: 0,
    paymentId: `pay_${deliveryCount}` as HeldDelivery['paymentId'],
    mode: 'live',
    body: '',
    lease: 'l',
    createdAt: new Date(),
    heldUntilMs: performance.now() + 45_000,
  }
}
export const newDeliveries = (count: number, storeId: number, host: string) =>
  Array.from({ length: count }, () => newDelivery(storeId, host))
