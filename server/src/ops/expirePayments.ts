import type { StoreId } from '../core/ids.ts'
import { MAX_VOLUME_MINOR } from '../core/limits.ts'
import type { Payment, PaymentKey } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { DatabaseUnavailable } from '../database/errors.ts'
import { lock, tryLoopLock } from '../sql/locks.ts'
import { findOverdue, findPayments, markExpired } from '../sql/payments.ts'
import { findStores } from '../sql/stores.ts'
import { advanceSweep, findSweep } from '../sql/sweeps.ts'
import { changeUsage, type UsageKey } from '../sql/usage.ts'
import { committedOnce, provenBy } from './committedOnce.ts'
import { type Outbox, writeEvents } from './events.ts'

export type ExpireRequest = PaymentKey & {
  /** Given up before its time, by the merchant or in the sandbox. */
  readonly evenEarly: boolean
}

/** Whether each was expired by this call. Doing it twice changes nothing. */
export async function expirePayments(
  database: Database,
  outbox: Outbox,
  requests: readonly ExpireRequest[],
): Promise<boolean[]> {
  if (requests.length === 0) return []
  const unique = new Map<string, ExpireRequest>()
  for (const request of requests) {
    const known = unique.get(request.paymentId)
    if (!known?.evenEarly) unique.set(request.paymentId, request)
  }
  const { keys, written } = await committedOnce(database, async (tx, attempt) => {
    const at = await lock(tx, { stores: requests.map((request) => request.storeId) })
    const keys = await markExpired(tx, [...unique.values()], { at, attempt })
    const payments = await findPayments(tx, keys)
    await giveBackUsage(tx, payments)
    const stores = await findStores(tx, [...new Set(keys.map((key) => key.storeId))])
    const storeOf = new Map(stores.map((store) => [store.storeId, store]))
    const changes = payments.map((payment) => ({
      payment,
      payer: null,
      store: storeOf.get(payment.storeId)!,
    }))
    const written = await writeEvents(tx, outbox, changes, at)
    return { result: { keys, written }, proof: provenBy(keys[0], attempt) }
  })
  outbox.committed(written)
  const expired = new Set<string>(keys.map((key) => key.paymentId))
  // Of several requests for one payment the first is the one that did it.
  return requests.map((request) => expired.delete(request.paymentId))
}

/** Failed and expired payments give their share of the limits back, where it was taken. */
export async function giveBackUsage(
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

const STEP = 256

/** Expires what is overdue in the named stores; for limits that only dead payments use up. */
export async function expireOverdue(
  database: Database,
  outbox: Outbox,
  stores: readonly StoreId[],
): Promise<number> {
  let after = await findSweep(database, 'expiry')
  let total = 0
  for (;;) {
    const due = await findOverdue(database, { after, stores, limit: STEP })
    total += await expireDue(database, outbox, due)
    if (due.length < STEP) return total
    after = due.at(-1)!.expiresAt
  }
}

async function expireDue(
  database: Database,
  outbox: Outbox,
  due: readonly PaymentKey[],
): Promise<number> {
  const requests = due.map((key) => ({ ...key, evenEarly: false }))
  return (await expirePayments(database, outbox, requests)).filter(Boolean).length
}

// Nothing is created that expires within a minute, so what is this far in the past is complete.
const MARGIN_MS = 90_000

/**
 * One pass of the background loop: everything that is overdue, in steps. Remembers up to when nothing
 * pending is left, so that the next pass, also after a restart, does not read the past again. A store
 * that cannot be served now is left for the next pass; the others must not wait for it.
 */
export async function sweepOverdue(
  database: Database,
  outbox: Outbox,
  onFailure: (storeId: StoreId, error: unknown) => void,
): Promise<number> {
  return database.transaction(async (tx) => {
    if (!(await tryLoopLock(tx, 'expiry'))) return 0
    let after = await findSweep(tx, 'expiry')
    let total = 0
    let isComplete = true
    for (;;) {
      const due = await findOverdue(tx, { after, stores: null, limit: STEP })
      total += await expireDue(database, outbox, due).catch(async (error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error
        isComplete = false
        return expireByStore(due)
      })
      if (due.length < STEP) break
      after = due.at(-1)!.expiresAt
    }
    if (isComplete) await advanceSweep(tx, 'expiry', MARGIN_MS)
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
