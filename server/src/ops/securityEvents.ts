import { SECURITY_EVENT_KINDS } from '@florin/contract/values.js'
import { ANONYMOUS_KINDS, type SecurityEventKind } from '../core/securityEvent.ts'
import type { Tx } from '../database/database.ts'
import { insertSecurityEvent } from '../sql/securityEvents.ts'
import { type Actor, NO_SOURCE } from './auditLog.ts'

export type SecurityEvent = {
  readonly kind: SecurityEventKind
  /** The person, operator or wallet whose events include this one; null if there is none, as for an unknown email address. */
  readonly accountId: string | null
  readonly storeId?: number | null
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** Events of this process since its start, for the metrics; also those that were not stored. */
export const securityEventCounts = new Map<SecurityEventKind, number>(
  SECURITY_EVENT_KINDS.map((kind) => [kind, 0]),
)

/**
 * Records an event in the transaction of its cause. Details must not contain secrets. Events that
 * unauthenticated clients cause are stored up to a limit, so that an attack doesn't fill the disk; the metrics count all
 * of them.
 */
export async function recordSecurityEvent(
  tx: Tx,
  { name, source }: Actor,
  { kind, accountId, storeId = null, details }: SecurityEvent,
  at: Date,
): Promise<void> {
  securityEventCounts.set(kind, securityEventCounts.get(kind)! + 1)
  const { address, device } = source ?? NO_SOURCE
  const isLimited = ANONYMOUS_KINDS.includes(kind)
  if (isLimited && !limitsOf(tx).take({ kind, accountId, name, address }, at)) return
  await insertSecurityEvent(tx, {
    at,
    kind,
    accountId,
    storeId,
    actor: name,
    address,
    device,
    details: details ?? null,
  })
}

const MINUTE_MS = 60_000
/** Per minute and kind of event. */
const MAX_PER_ACCOUNT_AND_ADDRESS = 5
/** Known and unknown accounts have separate limits: guessing names doesn't hide attempts at real accounts. */
const MAX_PER_MINUTE = 60

const limits = new WeakMap<object, ReturnType<typeof createLimits>>()

function limitsOf({ database }: Tx) {
  const databaseLimits = limits.get(database) ?? createLimits()
  limits.set(database, databaseLimits)
  return databaseLimits
}

/** Limits per minute of this process. Remembers only what was stored in the current minute. */
export function createLimits() {
  let minute = 0
  let stored = new Map<string, number>()

  return {
    /** Counts an event and returns true, or returns false if it must not be stored. */
    take(
      event: {
        kind: SecurityEventKind
        accountId: string | null
        /** The name that the client typed. An unknown one must cost the same work as a known one. */
        name: string
        address: string
      },
      at: Date,
    ): boolean {
      const now = Math.floor(at.getTime() / MINUTE_MS)
      if (now !== minute) {
        minute = now
        stored = new Map()
      }
      const total = event.accountId === null ? 'unknown' : 'known'
      const source = `${event.kind} ${event.accountId ?? event.name} ${event.address}`
      const totalCount = stored.get(total) ?? 0
      const sourceCount = stored.get(source) ?? 0
      if (totalCount >= MAX_PER_MINUTE || sourceCount >= MAX_PER_ACCOUNT_AND_ADDRESS) return false
      stored.set(total, totalCount + 1)
      stored.set(source, sourceCount + 1)
      return true
    },
  }
}
