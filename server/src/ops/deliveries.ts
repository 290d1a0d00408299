import { randomUUID } from 'node:crypto'
import type { Mode, StoreId } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import {
  type Attempt,
  type Candidate,
  findDue,
  leaseDeliveries,
  recordAttempts,
  releaseDeliveries,
} from '../sql/deliveries.ts'
import { lockQueue } from '../sql/locks.ts'
import { type Held, LEASE_SECONDS } from './events.ts'

/** About what one host can be given at a time; what is looked at and not taken is looked at again. */
const LOOK_AT = 1_200
/** Who has nothing to do is better off with a few at once. */
const LOOK_AT_FIRST = 100

export type ClaimLimits = {
  readonly mode: Mode
  readonly isIdle: boolean
  readonly room: number
  readonly busyHosts: readonly string[]
  /** How many more this process would take for a host. */
  readonly roomOfHost: (host: string) => number
}

/**
 * Takes on what is due. One process looks at a time: if several did, all would pick the same rows and
 * most would come back empty-handed.
 */
export async function claimDeliveries(
  database: Database,
  limits: ClaimLimits,
): Promise<{ readonly held: Held[]; readonly tookMs: number }> {
  const { mode, isIdle, busyHosts, room } = limits
  if (room <= 0) return { held: [], tookMs: 0 }
  return database.transaction(async (tx) => {
    await lockQueue(tx)
    // The wait for a connection and for others who look costs nobody anything.
    const startedMs = performance.now()
    const due = await findDue(tx, { mode, busyHosts, limit: isIdle ? LOOK_AT_FIRST : LOOK_AT })
    const chosen = fairShare(due, limits)
    const lease = { token: randomUUID(), seconds: LEASE_SECONDS }
    const heldUntilMs = performance.now() + LEASE_SECONDS * 1000
    const taken = await leaseDeliveries(tx, chosen, lease)
    const held = taken.map((delivery) => ({ ...delivery, lease: lease.token, heldUntilMs }))
    return { held, tookMs: performance.now() - startedMs }
  })
}

/** One of each store in turn, and no more for a host than it may have. */
export function fairShare<One extends Candidate>(
  due: readonly One[],
  { room, roomOfHost }: Pick<ClaimLimits, 'room' | 'roomOfHost'>,
): One[] {
  const byStore = new Map<StoreId, One[]>()
  for (const candidate of due) {
    const waiting = byStore.get(candidate.storeId)
    if (waiting === undefined) byStore.set(candidate.storeId, [candidate])
    else waiting.push(candidate)
  }
  const left = new Map<string, number>()
  const chosen: One[] = []
  while (byStore.size > 0 && chosen.length < room) {
    for (const [storeId, waiting] of byStore) {
      const next = waiting.shift()
      if (next === undefined) byStore.delete(storeId)
      if (next === undefined || chosen.length >= room) continue
      const hostRoom = left.get(next.host) ?? roomOfHost(next.host)
      left.set(next.host, hostRoom - 1)
      if (hostRoom > 0) chosen.push(next)
    }
  }
  return chosen
}

/** Only those count whose lease is still held. */
export async function recordResults(
  database: Database,
  attempts: readonly Attempt[],
): Promise<boolean[]> {
  await database.transaction((tx) => recordAttempts(tx, attempts))
  return attempts.map(() => true)
}

export async function giveBack(database: Database, held: readonly Held[]): Promise<boolean[]> {
  if (held.length > 0) await database.transaction((tx) => releaseDeliveries(tx, held))
  return held.map(() => true)
}
