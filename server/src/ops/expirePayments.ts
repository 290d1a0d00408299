import type { StoreId } from '../core/ids.ts'
import { MAX_VOLUME_MINOR } from '../core/limits.ts'
import { formatMinor } from '../core/money.ts'
import type { Payment, PaymentKey } from '../core/payment.ts'
import type { Database, Queryable, Tx } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/errors.ts'
import { findCompleteUntil, lock, tryLoopLock } from '../sql/locks.ts'
import { findOverdue, findSweepStart, setSwept } from '../sql/overdue.ts'
import { type ExpiryReason, findPayments, markExpired } from '../sql/payments.ts'
import { findStores } from '../sql/stores.ts'
import { changeUsage, type UsageKey } from '../sql/usage.ts'
import { type Actor, recordAuditEntries } from './auditLog.ts'
import { commitOnce, paymentProof } from './commitOnce.ts'
import { type Outbox, writeEvents } from './events.ts'

type ExpireRequest = PaymentKey & {
  readonly reason: ExpiryReason
  /** The person who cancels it, for the audit log; null if no person does. */
  readonly by: Actor | null
}

/** For a payment that reached its expiry time. */
export const DUE = { reason: 'due', by: null } as const

/** Returns for each request whether this call expired the payment. Idempotent. */
export async function expirePayments(
  database: Database,
  outbox: Outbox,
  requests: readonly ExpireRequest[],
): Promise<boolean[]> {
  if (requests.length === 0) return []
  const unique = new Map<string, ExpireRequest>()
  for (const request of requests) {
    const earlier = unique.get(request.paymentId)
    if (earlier === undefined || earlier.reason === 'due') unique.set(request.paymentId, request)
  }
  const { keys, written } = await commitOnce(database, async (tx, attempt) => {
    const at = await lock(tx, { stores: requests.map((request) => request.storeId) })
    const keys = await markExpired(tx, [...unique.values()], { at, attempt })
    const payments = await findPayments(tx, keys)
    await releaseUsage(tx, payments)
    const stores = await findStores(tx, [...new Set(keys.map((key) => key.storeId))])
    const storeOf = new Map(stores.map((store) => [store.storeId, store]))
    const changes = payments.map((payment) => ({
      payment,
      payer: null,
      store: storeOf.get(payment.storeId)!,
    }))
    const written = await writeEvents(tx, outbox, changes, at)
    await recordAuditEntries(tx, cancelEntries(payments, unique), at)
    return { result: { keys, written }, proof: paymentProof(keys[0], attempt) }
  })
  outbox.onCommit(written)
  const expired = new Set<string>(keys.map((key) => key.paymentId))
  // Of several requests for one payment only the first returns true.
  return requests.map((request) => expired.delete(request.paymentId))
}

const cancelEntries = (
  payments: readonly Payment[],
  requests: ReadonlyMap<string, ExpireRequest>,
) =>
  payments.flatMap(({ paymentId, mode, gross, currency }) => {
    const { by } = requests.get(paymentId)!
    const entry = {
      action: 'payment.cancel',
      subject: `payment:${paymentId}`,
      before: null,
      after: { mode, gross: formatMinor(gross, currency), currency },
    }
    return by === null ? [] : [{ by, entry }]
  })

/** Returns the volume of failed and expired payments to the day and month that they were counted in. */
export async function releaseUsage(
  tx: Tx,
  payments: readonly Pick<Payment, 'storeId' | 'mode' | 'gross' | 'usageDay' | 'usageMonth'>[],
): Promise<void> {
  const changes = new Map<string, UsageKey & { delta: bigint; ceiling: bigint }>()
  for (const { storeId, mode, gross, usageDay, usageMonth } of payments) {
    for (const [period, starts] of [
      ['day', usageDay],
      ['month', usageMonth],
    ] as const) {
      const name = `${storeId} ${mode} ${period} ${starts}`
      const change = changes.get(name) ?? {
        storeId,
        mode,
        period,
        starts,
        delta: 0n,
        ceiling: MAX_VOLUME_MINOR,
      }
      change.delta -= gross
      changes.set(name, change)
    }
  }
  await changeUsage(tx, [...changes.values()])
}

const BATCH_SIZE = 256
const MIN_STEP_MS = 3_600_000
const MAX_STEPS = 25

type Overdue = Awaited<ReturnType<typeof findOverdue>>

/**
 * Expires the overdue payments of all stores, or only of these. Reads in steps, because a sweep after the clock was set back
 * reads all payments of a day. `expire` returns how many payments of a step it has expired.
 */
async function expireInSteps(
  on: Queryable,
  stores: readonly StoreId[] | null,
  expire: (due: Overdue) => Promise<number>,
): Promise<number> {
  const { start, now } = await findSweepStart(on)
  const stepMs = Math.max(MIN_STEP_MS, (now.getTime() - start.getTime()) / MAX_STEPS)
  let from = start
  let total = 0
  while (from <= now) {
    const to = new Date(from.getTime() + stepMs)
    const due = await findOverdue(on, { from, to, stores, limit: BATCH_SIZE })
    const expired = due.length === 0 ? 0 : await expire(due)
    total += expired
    const lastMs = due.at(-1)?.expiresAt.getTime() ?? 0
    // If none of them could be expired, the next read must not return the same payments.
    from = due.length < BATCH_SIZE ? to : new Date(expired === 0 ? lastMs + 1 : lastMs)
  }
  return total
}

/** Expires the overdue payments of these stores, so that they don't count towards limits. */
export async function expireOverdue(
  database: Database,
  outbox: Outbox,
  stores: readonly StoreId[],
): Promise<void> {
  await expireInSteps(database, stores, (due) => expireDue(database, outbox, due))
}

async function expireDue(database: Database, outbox: Outbox, due: readonly PaymentKey[]) {
  const requests = due.map((key) => ({ ...key, ...DUE }))
  return (await expirePayments(database, outbox, requests)).filter(Boolean).length
}

/**
 * One pass of the background loop: expires all overdue payments in steps. Stores the time up to which nothing
 * pending is left, so that the next pass, even after a restart, doesn't read the past again. If a store fails,
 * the others are still processed and the next pass retries it.
 */
export async function sweepOverdue(
  database: Database,
  outbox: Outbox,
  onFailure: (storeId: StoreId, error: unknown) => void,
): Promise<number> {
  return database.transaction(async (tx) => {
    if (!(await tryLoopLock(tx, 'expiry'))) return 0
    // Call this before the reads: a payment whose COMMIT waits for a standby may be overdue when it appears.
    const completeUntil = await findCompleteUntil(tx)
    let isComplete = true
    const total = await expireInSteps(tx, null, async (due) => {
      const expired = await expireDue(database, outbox, due).catch(async (error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error
        isComplete = false
        return expireByStore(due)
      })
      if (expired === 0) isComplete = false
      return expired
    })
    if (isComplete) await setSwept(tx, completeUntil)
    return total
  })

  async function expireByStore(due: readonly PaymentKey[]): Promise<number> {
    let expired = 0
    for (const storeId of new Set(due.map((key) => key.storeId))) {
      const ofStore = due.filter((key) => key.storeId === storeId)
      expired += await expireDue(database, outbox, ofStore).catch((error: unknown) => {
        onFailure(storeId, error)
        return 0
      })
    }
    return expired
  }
}
