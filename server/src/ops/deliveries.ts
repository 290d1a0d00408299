import { randomUUID } from 'node:crypto'
import type { Mode, StoreId } from '../core/ids.ts'
import type { PaymentKey } from '../core/payment.ts'
import type { Database } from '../database/database.ts'
import {
  type Attempt,
  type Candidate,
  findAttempts,
  findDeliveries,
  findDue,
  leaseDeliveries,
  recordAttempts,
  releaseDeliveries,
} from '../sql/deliveries.ts'
import { findPaymentEvents } from '../sql/events.ts'
import { lockDeliveryQueue, useSnapshot } from '../sql/locks.ts'
import { type HeldDelivery, LEASE_SECONDS } from './events.ts'

/**
 * A little more than a healthy host with all its connections can get at a time, which is half of its 2,048 places in the send
 * queue. Candidates that are not claimed are read again.
 */
const MAX_CANDIDATES = 1_200
/** An idle process reads fewer, to start sending sooner. */
const MAX_CANDIDATES_IDLE = 100

type ClaimLimits = {
  readonly mode: Mode
  readonly isIdle: boolean
  readonly room: number
  readonly busyHosts: readonly string[]
  readonly busyStores: readonly StoreId[]
  /** How many more deliveries this process accepts for a host. */
  readonly roomOfHost: (host: string) => number
  /** How many more deliveries this process accepts of a store when it accepts `added` of any store. */
  readonly roomOfStore: (storeId: StoreId, added: number) => number
}

/**
 * Claims due deliveries. One process at a time, because concurrent ones would choose the same rows and most
 * would claim nothing.
 */
export async function claimDeliveries(
  database: Database,
  limits: ClaimLimits,
): Promise<{ readonly held: HeldDelivery[]; readonly tookMs: number }> {
  const { mode, isIdle, busyHosts, busyStores, room } = limits
  if (room <= 0) return { held: [], tookMs: 0 }
  return database.transaction(async (tx) => {
    await lockDeliveryQueue(tx)
    // Don't count the wait for a connection and for the lock: it costs the database nothing.
    const startedMs = performance.now()
    const limit = isIdle ? MAX_CANDIDATES_IDLE : MAX_CANDIDATES
    const due = await findDue(tx, {
      mode,
      busyHosts,
      busyStores,
      limit,
      leaseSeconds: LEASE_SECONDS,
    })
    const chosen = fairShare(due, limits)
    const lease = { token: randomUUID(), seconds: LEASE_SECONDS }
    const heldUntilMs = performance.now() + LEASE_SECONDS * 1000
    const taken = await leaseDeliveries(tx, chosen, lease)
    const held = taken.map((delivery) => ({ ...delivery, lease: lease.token, heldUntilMs }))
    return { held, tookMs: performance.now() - startedMs }
  })
}

/** Round robin over the stores, up to the limits of each host and store. */
export function fairShare<Item extends Candidate>(
  due: readonly Item[],
  { room, roomOfHost, roomOfStore }: Pick<ClaimLimits, 'room' | 'roomOfHost' | 'roomOfStore'>,
): Item[] {
  const byStore = new Map<StoreId, Item[]>()
  for (const candidate of due) {
    const waiting = byStore.get(candidate.storeId)
    if (waiting === undefined) byStore.set(candidate.storeId, [candidate])
    else waiting.push(candidate)
  }
  const left = new Map<string, number>()
  const takenOfStore = new Map<StoreId, number>()
  const chosen: Item[] = []
  while (byStore.size > 0 && chosen.length < room) {
    for (const [storeId, waiting] of byStore) {
      const taken = takenOfStore.get(storeId) ?? 0
      const next = roomOfStore(storeId, chosen.length) > taken ? waiting.shift() : undefined
      if (next === undefined) byStore.delete(storeId)
      if (next === undefined || chosen.length >= room) continue
      const hostRoom = left.get(next.host) ?? roomOfHost(next.host)
      left.set(next.host, hostRoom - 1)
      if (hostRoom <= 0) continue
      takenOfStore.set(storeId, taken + 1)
      chosen.push(next)
    }
  }
  return chosen
}

/** Attempts whose lease was lost are ignored. */
export async function recordResults(database: Database, attempts: readonly Attempt[]) {
  await database.transaction((tx) => recordAttempts(tx, attempts))
  return attempts.map(() => true)
}

export async function releaseClaims(
  database: Database,
  held: readonly HeldDelivery[],
): Promise<boolean[]> {
  if (held.length > 0) await database.transaction((tx) => releaseDeliveries(tx, held))
  return held.map(() => true)
}

const MAX_SHOWN_ATTEMPTS = 100
/** All attempts of a page of payments, unless events were resent many times. */
export const MAX_EXPORTED_ATTEMPTS = 4_000

/** The events of a payment, the state of their deliveries and the latest attempts, from one snapshot. */
export async function readWebhooks(database: Database, key: PaymentKey) {
  return database.transaction(async (tx) => {
    await useSnapshot(tx)
    return {
      events: await findPaymentEvents(tx, key),
      deliveries: await findDeliveries(tx, key),
      attempts: await findAttempts(tx, [key], MAX_SHOWN_ATTEMPTS),
    }
  })
}
