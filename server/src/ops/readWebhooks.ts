import type { PaymentKey } from '../core/payment.ts'
import type { Database } from '../database/database.ts'
import {
  type AttemptRow,
  type DeliveryState,
  findAttempts,
  findDeliveries,
} from '../sql/deliveries.ts'
import { findPaymentEvents, type PaymentEvent } from '../sql/events.ts'
import { freezeView } from '../sql/locks.ts'

/** The events of a payment, and how far their delivery is, all as of one moment. */
export async function readWebhooks(
  database: Database,
  key: PaymentKey,
): Promise<{
  events: PaymentEvent[]
  deliveries: DeliveryState[]
  attempts: AttemptRow[]
}> {
  return database.transaction(async (tx) => {
    await freezeView(tx)
    return {
      events: await findPaymentEvents(tx, key),
      deliveries: await findDeliveries(tx, key),
      attempts: await findAttempts(tx, key),
    }
  })
}
