import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * The shop's orders, in a file that is replaced whole. With a database it is the same: what an event
 * changes, and that it was here, are written together.
 */
export function openOrders(file) {
  const orders = new Map(load(file))
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify([...orders]), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return {
    get: (id) => orders.get(id),
    newestFirst: () => [...orders.values()].reverse(),

    add(items) {
      const order = { id: randomUUID(), items, attempts: 0, payment: null, history: [] }
      orders.set(order.id, order)
      save()
      return order
    },

    /** The payment that the customer is shown now. */
    setPayment(order, paymentId) {
      order.payment = { id: paymentId, status: 'pending', sequence: 0 }
      order.attempts += 1
      save()
    },

    /**
     * What a webhook says. Webhooks come at least once and in any order, and `sequence` counts the
     * events of a payment: one that is not newer than what is known changes nothing.
     */
    apply({ sequence, timestamp, data }) {
      const order = orders.get(data.reference.id)
      if (order?.payment?.id !== data.payment_id || sequence <= order.payment.sequence) return false
      Object.assign(order.payment, { status: data.status, sequence })
      order.history.push({ status: data.status, at: timestamp })
      save()
      return true
    },
  }
}

function load(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
