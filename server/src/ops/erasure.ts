import type { PaymentId, StoreId } from '../core/ids.ts'
import type { Tx } from '../database/database.ts'
import { findEventsOf, forgetAnswers, replaceBodies, takeBackDeliveries } from '../sql/erasure.ts'
import type { EventKey } from '../sql/events.ts'

/** Every event of these payments is told anew, with what was answered to it forgotten. The stores are locked. */
export async function retell(
  tx: Tx,
  payments: readonly { readonly storeId: StoreId; readonly paymentId: PaymentId }[],
  rewrite: (body: string) => string,
): Promise<void> {
  const events = await findEventsOf(tx, payments)
  const retold = events.map((event) => ({ ...event, body: rewrite(event.body) }))
  await forgetEvents(tx, retold, { end: false })
}

export async function forgetEvents(
  tx: Tx,
  events: readonly (EventKey & { readonly body: string })[],
  { end }: { end: boolean },
): Promise<void> {
  await replaceBodies(tx, events)
  await takeBackDeliveries(tx, events, { end })
  await forgetAnswers(tx, events)
}
