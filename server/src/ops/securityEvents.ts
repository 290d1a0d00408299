import type { SecurityEventKind } from '../core/securityEvent.ts'
import type { Tx } from '../database/database.ts'
import { insertSecurityEvents } from '../sql/securityEvents.ts'
import type { Actor } from './auditLog.ts'

export type SecurityEvent = {
  readonly kind: SecurityEventKind
  /** The person, operator or wallet that the event is about; null if a failed sign-in named no known account. */
  readonly accountId: string | null
  readonly storeId?: number | null
  readonly details?: Readonly<Record<string, unknown>>
}

/** Records events in the transaction of their cause. Details must not contain secrets. */
export async function recordSecurityEvents(
  tx: Tx,
  { name, source }: Actor,
  events: readonly SecurityEvent[],
  at: Date,
): Promise<void> {
  if (events.length === 0) return
  await insertSecurityEvents(
    tx,
    events.map(({ kind, accountId, storeId = null, details = null }) => ({
      at,
      kind,
      accountId,
      storeId,
      actor: name,
      address: source?.address ?? '',
      device: source?.device ?? '',
      details,
    })),
  )
}
