import type { CurrencyCode } from '../core/currencies.ts'
import { formatMinor } from '../core/money.ts'
import type { Database } from '../database/database.ts'
import { lockGlobal } from '../sql/locks.ts'
import { deletePinLimit, insertPinLimit, listPinLimits, type PinLimit } from '../sql/pinLimits.ts'
import { type Actor, inAuditedTransaction } from './auditLog.ts'
import { recordSecurityEvent } from './securityEvents.ts'

/** Sets the amount above which every wallet needs its PIN to pay. Null removes it. */
export async function setPinLimit(
  database: Database,
  actor: Actor,
  { currency, amount }: { currency: CurrencyCode; amount: bigint | null },
): Promise<PinLimit[]> {
  return inAuditedTransaction(database, actor, async (tx) => {
    const at = await lockGlobal(tx, 'pinLimits')
    const before = (await listPinLimits(tx)).find((limit) => limit.currency === currency)
    await deletePinLimit(tx, currency)
    if (amount !== null) await insertPinLimit(tx, { currency, amount })
    const details = { setting: 'pin_limit', currency }
    await recordSecurityEvent(tx, actor, { kind: 'setting_changed', accountId: null, details }, at)
    const view = (minor: bigint | null) =>
      minor === null ? null : { amount: formatMinor(minor, currency) }
    return {
      result: await listPinLimits(tx),
      entry: {
        action: 'pin_limit.set',
        subject: `pin_limit:${currency}`,
        before: view(before?.amount ?? null),
        after: view(amount),
      },
    }
  })
}
