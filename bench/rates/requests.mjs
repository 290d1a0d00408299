import { requestOf } from '../lib/load.mjs'
import { makeOrder } from '../lib/order.mjs'

// Complete requests as text, the same for every variant.

const keysOf = ({ apiKey, apiSecret }) => ({ 'api-key': apiKey, 'api-secret': apiSecret })

let orders = 1_000_000

/**
 * Create requests have an Idempotency-Key, like those of a real shop. There is no webhook_url, because webhooks have their
 * own benchmark.
 */
export function create(shop) {
  orders += 1
  return requestOf({
    path: '/merchant/payment/create',
    headers: { ...keysOf(shop), 'idempotency-key': `order-${orders}` },
    body: makeOrder(orders),
  })
}

/** A created payment with its store, for later calls. */
export const paymentOf = (shop, body) => ({ shop, ...JSON.parse(body).data })

export const status = ({ shop, payment_id }) =>
  requestOf({
    method: 'GET',
    path: `/merchant/payment/${payment_id}/status`,
    headers: keysOf(shop),
  })

export const details = ({ shop, payment_id }) =>
  requestOf({ method: 'GET', path: `/merchant/payment/${payment_id}`, headers: keysOf(shop) })

export const pay = ({ qr_code }, wallet) =>
  requestOf({
    path: `/wallet/payment/${qr_code}/pay`,
    headers: { authorization: `Bearer ${wallet.token}` },
    body: {},
  })

export const refund = ({ shop, payment_id }) =>
  requestOf({
    path: `/merchant/payment/${payment_id}/refund`,
    headers: keysOf(shop),
    body: {},
  })

/** Interleaves the calls evenly; each item has its kind and its index within the kind. */
export function interleave(counts) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const done = Object.fromEntries(Object.keys(counts).map((kind) => [kind, 0]))
  const behind = (kind, index) => (counts[kind] * (index + 1)) / total - done[kind]
  return Array.from({ length: total }, (_, index) => {
    const next = Object.keys(counts).reduce((a, b) => (behind(b, index) > behind(a, index) ? b : a))
    return [next, done[next]++]
  })
}
