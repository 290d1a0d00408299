import { EMPTIED_BODY } from '../core/erasure.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { Database } from '../database/database.ts'
import { forgetClients } from '../sql/erasure.ts'
import { databaseTime, lock, tryLoopLock } from '../sql/locks.ts'
import { listKept, listShelves, type Shelf, setEmptiedUntil } from '../sql/retention.ts'
import { forgetEvents } from './erasure.ts'

const STEP = 200
const MAX_STEPS = 500
const DAY_MS = 24 * 3_600_000

/**
 * Empties what is kept for so many days only: the client, payload and return_url of payments, the bodies of their events
 * and what was answered to them. Counted from the event, so nothing is taken from a payment that is pending.
 * In short steps, each remembered, so that a long past is emptied over several turns.
 */
export async function emptyOldBodies(
  database: Database,
  {
    keepDays,
    isStopped,
    step = STEP,
  }: { keepDays: number; isStopped: () => boolean; step?: number },
): Promise<number> {
  const now = await database.transaction((tx) => databaseTime(tx))
  const before = new Date(now.getTime() - keepDays * DAY_MS)
  let total = 0
  let steps = 0
  for (const { emptiedUntil, ...shelf } of await listShelves(database)) {
    for (let from = emptiedUntil; steps < MAX_STEPS && !isStopped(); ) {
      // A look without any lock first: nearly always there is nothing.
      const some = await listKept(database, { ...shelf, from, before, limit: 1 })
      if (some.length === 0) break
      steps += 1
      const emptied = await emptyStep(database, shelf, { from, before, limit: step })
      if (emptied === null) return total
      total += emptied.count
      from = emptied.until
    }
  }
  return total
}

/** Null where another process is at it. */
async function emptyStep(
  database: Database,
  shelf: Shelf,
  stretch: { from: Date; before: Date; limit: number },
): Promise<{ count: number; until: Date } | null> {
  return database.transaction(async (tx) => {
    if (!(await tryLoopLock(tx, 'retention'))) return null
    await lock(tx, { stores: [shelf.storeId] })
    const kept = await listKept(tx, { ...shelf, ...stretch })
    const events = kept.map((event) => ({ ...event, body: EMPTIED_BODY }))
    await forgetEvents(tx, events, { end: true })
    const payments: PaymentKey[] = kept.map((event) => ({ ...shelf, paymentId: event.paymentId }))
    await forgetClients(tx, payments, { andNote: false })
    const until = kept.at(-1)?.createdAt ?? stretch.from
    await setEmptiedUntil(tx, shelf, until)
    return { count: kept.length, until }
  })
}
