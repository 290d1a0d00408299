import { localDay, monthOf } from '../core/calendar.ts'
import type { Mode } from '../core/ids.ts'
import type { Period } from '../core/limits.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import { databaseTime } from '../sql/locks.ts'
import { findUsage } from '../sql/usage.ts'
import type { Outbox } from './events.ts'
import { expireOverdue } from './expirePayments.ts'

/** How much of its limits a store has used. What is overdue uses up none, swept or not. */
export async function readUsage(
  database: Database,
  outbox: Outbox,
  { storeId, timeZone }: Store,
  mode: Mode,
): Promise<Record<Period, bigint>> {
  await expireOverdue(database, outbox, [storeId])
  const day = localDay(await databaseTime(database), timeZone)
  const usage = await findUsage(database, [
    { storeId, mode, period: 'day', starts: day },
    { storeId, mode, period: 'month', starts: monthOf(day) },
  ])
  const usedIn = (period: Period) => usage.find((row) => row.period === period)?.used ?? 0n
  return { day: usedIn('day'), month: usedIn('month') }
}
