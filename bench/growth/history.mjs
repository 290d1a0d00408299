import { localDay, monthOf } from '../../server/dist/core/calendar.js'
import { refundFee } from '../../server/dist/core/fees.js'
import { mintPaymentId } from '../../server/dist/core/ids.js'
import { payTransfers, refundTransfers } from '../../server/dist/core/ledger.js'
import { validateCreate } from '../../server/dist/core/newPayment.js'
import { mintQrNumber } from '../../server/dist/core/qr.js'
import { eventTypeOf, sequenceOf } from '../../server/dist/core/webhook.js'

export const MODE = 'live'
const HOUR_MS = 3_600_000
const HISTORY_MS = 90 * 24 * HOUR_MS
// Long enough for all but the pending payments to be settled.
const MIN_AGE_MS = HOUR_MS
const PENDING_MS = 18 * HOUR_MS
const PENDING_SHARE = 0.2
const MAX_EXPIRY_SECONDS = 86_400
const DEMO_SHARE = 0.1
const DONATION_SHARE = 0.05
const OUTCOMES = [
  ...new Array(82).fill('completed'),
  ...new Array(10).fill('expired'),
  ...new Array(5).fill('refunded'),
  ...new Array(3).fill('failed'),
]

const client = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '5550100' }
const products = [{ name: 'A pair of shoes', quantity: 1, price: 7.5 }]

/**
 * Generates `count` payments over the last 90 days in chronological order, with the service's own functions. Yields
 * batches of payments with their transfers and events. The share `demoShare` goes to the first store, the rest to random
 * stores.
 */
export function* generateHistory({
  stores,
  wallets,
  count,
  batchSize,
  nowMs,
  demoShare = DEMO_SHARE,
}) {
  const orders = ordersOf(stores[0])
  const paceMs = (HISTORY_MS - MIN_AGE_MS) / count
  for (let from = 0; from < count; from += batchSize) {
    const batch = { payments: [], transfers: [], events: [] }
    for (let number = from; number < Math.min(from + batchSize, count); number++) {
      const createdMs = Math.floor(nowMs - HISTORY_MS + number * paceMs)
      const store = Math.random() < demoShare ? stores[0] : anyOf(stores)
      const outcome = outcomeOf(nowMs - createdMs)
      const payment = createPending({ store, order: anyOf(orders), number, outcome, createdMs })
      addPayment(batch, { payment, outcome, store, payer: anyOf(wallets), nowMs })
    }
    yield batch
  }
}

/** Orders with amounts from 1 to 100, with and without a client and products. They fit all stores, which have the same fees. */
function ordersOf(store) {
  return Array.from({ length: 100 }, (_, n) => {
    const fields = {
      amount: n + 1,
      currency: store.currency,
      ...(n % 2 === 0 && { client }),
      ...(n % 4 === 0 && { products }),
    }
    const terms = {
      store,
      rate: null,
      webhookRules: { allowPrivate: false, allowedPorts: new Set() },
    }
    const validated = validateCreate(fields, terms, new Set()).payment
    const { expiresInSeconds, referenceId: _own, ...request } = validated
    return { expiresInSeconds, request }
  })
}

function outcomeOf(ageMs) {
  if (ageMs < PENDING_MS && Math.random() < PENDING_SHARE) return 'pending'
  return anyOf(OUTCOMES)
}

function createPending({ store, order, number, outcome, createdMs }) {
  const createdAt = new Date(createdMs)
  const seconds = outcome === 'pending' ? MAX_EXPIRY_SECONDS : order.expiresInSeconds
  const day = localDay(createdAt, store.timeZone)
  return {
    storeId: store.storeId,
    mode: MODE,
    paymentId: mintPaymentId(createdAt, store.storeId),
    qrNumber: mintQrNumber(createdAt),
    referenceId: number % 2 === 0 ? `order-${number}` : null,
    status: 'pending',
    donation: 0n,
    createdAt,
    expiresAt: new Date(createdMs + seconds * 1000),
    usageDay: day,
    usageMonth: monthOf(day),
    settledAt: null,
    walletId: null,
    failure: null,
    refundFee: null,
    refundedAt: null,
    // Spread last: a spread before the other fields takes 50 times as long.
    ...order.request,
  }
}

/** Adds a payment to the batch, with its transfers and events. */
function addPayment({ payments, transfers, events }, { payment, outcome, store, payer, nowMs }) {
  if (outcome === 'pending') return payments.push(payment)
  const isPaid = outcome === 'completed' || outcome === 'refunded'
  const addEvent = ({ status, storeId, paymentId }, at) => {
    const type = eventTypeOf(status)
    events.push({ storeId, paymentId, type, sequence: sequenceOf(type), createdAt: at })
  }

  const settledAt = pickSettledTime(payment, outcome)
  const settled = {
    ...payment,
    status: isPaid ? 'completed' : outcome,
    settledAt,
    walletId: isPaid ? payer.walletId : null,
    donation: isPaid && Math.random() < DONATION_SHARE ? 100n : 0n,
    failure: outcome === 'failed' ? 'insufficient_balance' : null,
  }
  addEvent(settled, settledAt)
  const { storeId, walletId, paymentId: reference, currency, gross } = settled
  const movement = { storeId, walletId, reference, currency, mode: MODE }
  if (isPaid) transfers.push(...payTransfers({ ...movement, at: settledAt }, settled))
  if (outcome !== 'refunded') return payments.push(settled)

  const at = randomTime(settledAt.getTime(), nowMs)
  const fee = refundFee(gross, store.refundFeeMinor)
  const refunded = { ...settled, status: 'refunded', refundFee: fee, refundedAt: at }
  payments.push(refunded)
  addEvent(refunded, at)
  transfers.push(
    ...refundTransfers({ ...movement, at }, { amount: gross - fee, fee, waivedFee: 0n }),
  )
}

const MAX_EXPIRY_DELAY_MS = 2_000

/** The time of the change; for an expired payment, of the next run of the expiry loop. */
function pickSettledTime({ createdAt, expiresAt }, outcome) {
  const endMs = expiresAt.getTime()
  if (outcome === 'expired') return randomTime(endMs, endMs + MAX_EXPIRY_DELAY_MS)
  return randomTime(createdAt.getTime(), endMs)
}

const randomTime = (fromMs, toMs) => new Date(fromMs + Math.floor(Math.random() * (toMs - fromMs)))
const anyOf = (list) => list[Math.floor(Math.random() * list.length)]
