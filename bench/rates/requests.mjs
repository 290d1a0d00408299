import { requestOf } from '../lib/load.mjs'
import { order } from '../lib/order.mjs'

// Whole requests as text, made before the clock starts. The same for every contestant.

const keysOf = ({ apiKey, apiSecret }) => ({ 'api-key': apiKey, 'api-secret': apiSecret })

let orders = 1_000_000

/**
 * With an Idempotency-Key, as a shop must that does not want to ask twice when it tries again. Nobody
 * asks to be told: sending webhooks is measured by itself.
 */
export function create(shop) {
  orders += 1
  return requestOf({
    path: '/merchant/payment/create',
    headers: { ...keysOf(shop), 'idempotency-key': `order-${orders}` },
    body: order(orders),
  })
}

/** A payment as the later calls need it: its shop, and what came back when it was created. */
export const paymentOf = (shop, answer) => ({ shop, ...JSON.parse(answer).data })

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

/** So many of each kind, spread evenly, each as kind and number of its kind. */
export function interleaved(counts) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const done = Object.fromEntries(Object.keys(counts).map((kind) => [kind, 0]))
  const behind = (kind, place) => (counts[kind] * (place + 1)) / total - done[kind]
  return Array.from({ length: total }, (_, place) => {
    const next = Object.keys(counts).reduce((a, b) => (behind(b, place) > behind(a, place) ? b : a))
    return [next, done[next]++]
  })
}
