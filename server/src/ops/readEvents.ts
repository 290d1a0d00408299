import type { Payment } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { listEvents, type PaymentEvent } from '../sql/events.ts'
import { findPayments } from '../sql/payments.ts'
import { findWallets } from '../sql/wallets.ts'
import type { Outbox } from './events.ts'

/** Lists events with their bodies. Those of payments without a webhook URL are built here, because they are not stored. */
export async function readEvents(
  database: Database,
  outbox: Outbox,
  { store, ...filter }: { store: Store } & Omit<Parameters<typeof listEvents>[1], 'storeId'>,
): Promise<(PaymentEvent & { readonly body: string })[]> {
  const events = await listEvents(database, { ...filter, storeId: store.storeId })
  const payments = await findPayments(
    database,
    events.filter(({ body }) => body === null),
  )
  const walletIds = [...new Set(payments.flatMap(({ walletId }) => walletId ?? []))]
  const wallets = await findWallets(database, walletIds)
  const payers = new Map(wallets.map((wallet) => [wallet.walletId, wallet]))
  const byId = new Map(payments.map((payment) => [payment.paymentId, payment]))
  return events.map((event) => {
    if (event.body !== null) return { ...event, body: event.body }
    const payment = paymentAt(event, byId.get(event.paymentId)!)
    const payer = payment.walletId === null ? null : payers.get(payment.walletId)!
    return { ...event, body: outbox.bodyOf({ payment, payer, store }, event.type, event.createdAt) }
  })
}

/** The payment as it was after this event. A refund may have followed. */
const paymentAt = ({ sequence }: PaymentEvent, payment: Payment): Payment =>
  sequence === 1 && payment.status === 'refunded'
    ? { ...payment, status: 'completed', refundFee: null, refundedAt: null }
    : payment
