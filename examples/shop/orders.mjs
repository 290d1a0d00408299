import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * Stores the orders in a file that is replaced as a whole. With a database, do the same: write the change and the
 * event's sequence in one transaction.
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

    /** Sets the current payment of the order, and counts the attempt. A repeated call changes nothing. */
    setPayment(order, paymentId, status) {
      if (order.payment?.id === paymentId) return
      order.payment = { id: paymentId, status, sequence: 0 }
      order.attempts += 1
      save()
    },

    /**
     * Applies a webhook event. Delivery is at least once and in any order, so ignore an event whose `sequence`
     * is not higher.
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
