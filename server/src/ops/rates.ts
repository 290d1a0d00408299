import type { CurrencyCode } from '../core/currencies.ts'
import { formatRate } from '../core/money.ts'
import type { Database } from '../database/database.ts'
import { databaseTime } from '../store/locks.ts'
import { findRate, insertRate, type Rate } from '../store/rates.ts'
import { type Actor, audited } from './audited.ts'

/** Payments already created keep the rate that they were created with. */
export async function setRate(
  database: Database,
  actor: Actor,
  { from, to, rate }: { from: CurrencyCode; to: CurrencyCode; rate: bigint },
): Promise<Rate> {
  return audited(database, actor, async (tx) => {
    const before = await findRate(tx, from, to)
    const after = { from, to, rate, setAt: await databaseTime(tx) }
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
