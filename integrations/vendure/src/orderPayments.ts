import { createHash } from 'node:crypto'
import {
  ConflictError,
  type CreateParams,
  type Florin,
  type Payment,
  RefusedError,
} from '@florin/sdk'
import { isSameAmount } from './amounts.js'

/** What has to be paid for an order. */
export type Due = {
  readonly orderCode: string
  readonly channelToken: string
  readonly amount: string
  readonly currency: string
}

const MAX_LISTED = 100
const MAX_ROUNDS = 3

/** Whether the payment was created by this plugin for this order. */
function isOfOrder(payment: Payment, due: Pick<Due, 'orderCode' | 'channelToken'>): boolean {
  const { vendure_order: orderCode, vendure_channel: channelToken } = payment.payload ?? {}
  return orderCode === due.orderCode && channelToken === due.channelToken
}

/** Why a payment can't settle an order; null if it can. */
export function problemOf(payment: Payment, due: Due): string | null {
  const { amount, currency } = payment.request_amount
  if (!isOfOrder(payment, due)) return `it does not belong to order ${due.orderCode}`
  if (payment.status !== 'completed') return `its status is ${payment.status}`
  if (currency !== due.currency || !isSameAmount(amount, due.amount)) {
    return `it is for ${amount} ${currency}, but order ${due.orderCode} needs ${due.amount} ${due.currency}`
  }
  return null
}

export async function listPayments(florin: Florin, due: Pick<Due, 'orderCode' | 'channelToken'>) {
  const { items } = await florin.payments
    .list({ reference_id: due.orderCode, limit: MAX_LISTED })
    .page()
  return items.filter((payment) => isOfOrder(payment, due))
}

/**
 * Returns the id of the payment that the customer should pay or has just paid. Creates one if there is none for this
 * amount, and expires all other pending ones. `recorded` are the payments that the order already has.
 */
export async function findOrCreate(
  florin: Florin,
  due: Due,
  options: { readonly params: Partial<CreateParams>; readonly recorded: ReadonlySet<string> },
): Promise<string> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const payments = await listPayments(florin, due)
    const paid = payments.find(
      ({ payment_id, status }) => status === 'completed' && !options.recorded.has(payment_id),
    )
    if (paid !== undefined) return paid.payment_id
    const pending = payments.filter(({ status }) => status === 'pending')
    const usable = pending.find(({ request_amount: { amount, currency } }) => {
      return currency === due.currency && isSameAmount(amount, due.amount)
    })
    const outdated = pending.filter((payment) => payment !== usable)
    if (!(await expireAll(florin, outdated))) continue
    if (usable !== undefined) return usable.payment_id
    return create(florin, due, { params: options.params, newest: payments[0]?.payment_id })
  }
  throw new Error(`The payments of order ${due.orderCode} keep changing. Try again.`)
}

/** Expires pending payments. Returns false if one of them is no longer pending. */
export async function expireAll(florin: Florin, payments: readonly Payment[]): Promise<boolean> {
  let isComplete = true
  for (const { payment_id } of payments) {
    try {
      await florin.payments.expire(payment_id)
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      isComplete = false
    }
  }
  return isComplete
}

async function create(
  florin: Florin,
  due: Due,
  { params, newest = 'first' }: { params: Partial<CreateParams>; newest: string | undefined },
): Promise<string> {
  const body: CreateParams = {
    ...params,
    amount: due.amount,
    currency: due.currency,
    reference_id: due.orderCode,
    payload: { vendure_order: due.orderCode, vendure_channel: due.channelToken },
  }
  // Two clicks have the same key, so they create one payment. An attempt after a failed payment has another key.
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const idempotencyKey = `vendure-${hash}-${newest}`
  const { payment_id } = await florin.payments.create(body, { idempotencyKey })
  return payment_id
}

/** Refunds a payment in full. A payment that is already refunded, for example in Florin's dashboard, counts as done. */
export async function refundOnce(florin: Florin, paymentId: string) {
  try {
    return await florin.payments.refund(paymentId, {
      idempotencyKey: `vendure-refund-${paymentId}`,
    })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const { refund } = await florin.payments.retrieve(paymentId)
    if (refund === null) throw error
    return refund
  }
}
