import type { CurrencyCode } from '../core/currencies.ts'
import { formatRate } from '../core/money.ts'
import type { Database } from '../database/database.ts'
import { lockGlobal, readDatabaseTime } from '../sql/locks.ts'
import { findRate, insertRate, type Rate } from '../sql/rates.ts'
import { type Actor, inAuditedTransaction } from './auditLog.ts'

/** Existing payments keep the rate that they were created with. */
export async function setRate(
  database: Database,
  actor: Actor,
  { from, to, rate }: { from: CurrencyCode; to: CurrencyCode; rate: bigint },
): Promise<Rate> {
  return inAuditedTransaction(database, actor, async (tx) => {
    await lockGlobal(tx, 'rates')
    const before = await findRate(tx, from, to)
    const at = await readDatabaseTime(tx)
    // Two rates set within one millisecond still need different times, in order.
    const setAt = before && before.setAt >= at ? new Date(before.setAt.getTime() + 1) : at
    const after = { from, to, rate, setAt }
    await insertRate(tx, after)
    return {
      result: after,
      entry: {
        action: 'rate.set',
        subject: `rate:${from}/${to}`,
        before: before && { rate: formatRate(before.rate) },
        after: { rate: formatRate(rate) },
      },
    }
  })
}
