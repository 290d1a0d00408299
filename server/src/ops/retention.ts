import { EMPTIED_BODY } from '../core/erasure.ts'
import type { StoreAndMode, StoreId } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { Database } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/errors.ts'
import { eraseClients } from '../sql/erasure.ts'
import { lock, readDatabaseTime, tryLoopLock } from '../sql/locks.ts'
import { listEventsToEmpty, listRetention, setEmptiedUntil } from '../sql/retention.ts'
import { rewriteEvents } from './erasure.ts'

const BATCH_SIZE = 200
const MAX_BATCHES = 500
const DAY_MS = 24 * 3_600_000

/**
 * Deletes data after the retention period: the client, payload and return URL of payments, the bodies of their
 * events and the responses of receivers. The period starts with the event, so pending payments are not affected.
 * Runs in small batches and stores its progress, so that a large backlog takes several passes. If a store fails, the others are
 * still processed and the next pass retries it. Returns the number of emptied events.
 */
export async function applyRetention(
  database: Database,
  {
    keepDays,
    isStopped,
    onFailure,
    batchSize = BATCH_SIZE,
  }: {
    keepDays: number
    isStopped: () => boolean
    onFailure: (storeId: StoreId, error: unknown) => void
    batchSize?: number
  },
): Promise<number> {
  const now = await database.transaction((tx) => readDatabaseTime(tx))
  const before = new Date(now.getTime() - keepDays * DAY_MS)
  let total = 0
  let batches = 0
  for (const { emptiedUntil, ...owner } of await listRetention(database)) {
    for (let from = emptiedUntil; batches < MAX_BATCHES && !isStopped(); ) {
      // Read without a lock first: nearly always there is nothing.
      const next = await listEventsToEmpty(database, { ...owner, from, before, limit: 1 })
      if (next.length === 0) break
      batches += 1
      const range = { from, before, limit: batchSize }
      const emptied = await emptyBatch(database, owner, range).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error
        onFailure(owner.storeId, error)
        return 'failed' as const
      })
      if (emptied === null) return total
      if (emptied === 'failed') break
      total += emptied.count
      from = emptied.until
    }
  }
  return total
}

/** Empties the next events of a store and mode. Null if another process is doing this. */
async function emptyBatch(
  database: Database,
  owner: StoreAndMode,
  range: { from: Date; before: Date; limit: number },
): Promise<{ count: number; until: Date } | null> {
  return database.transaction(async (tx) => {
    if (!(await tryLoopLock(tx, 'retention'))) return null
    await lock(tx, { stores: [owner.storeId] })
    const found = await listEventsToEmpty(tx, { ...owner, ...range })
    const events = found.map((event) => ({ ...event, body: EMPTIED_BODY }))
    await rewriteEvents(tx, events, { endDeliveries: true })
    const payments: PaymentKey[] = found.map(({ paymentId }) => ({ ...owner, paymentId }))
    await eraseClients(tx, payments, { eraseNote: false })
    const until = found.at(-1)?.createdAt ?? range.from
    await setEmptiedUntil(tx, owner, until)
    return { count: found.length, until }
  })
}
