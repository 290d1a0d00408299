import type { CurrencyCode } from '../core/currencies.ts'
import { formatRate } from '../core/money.ts'
import type { Database } from '../database/database.ts'
import { databaseTime, lockAlone } from '../sql/locks.ts'
import { findRate, insertRate, type Rate } from '../sql/rates.ts'
import { type Actor, audited } from './auditLog.ts'

/** Payments already created keep the rate that they were created with. */
export async function setRate(
  database: Database,
  actor: Actor,
  { from, to, rate }: { from: CurrencyCode; to: CurrencyCode; rate: bigint },
): Promise<Rate> {
  return audited(database, actor, async (tx) => {
    await lockAlone(tx, 'rates')
    const before = await findRate(tx, from, to)
    const at = await databaseTime(tx)
    // Two within one millisecond: the later one is still the later one.
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
