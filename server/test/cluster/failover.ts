import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Load, startLoad } from '../faults/load.ts'
import { randomOf, seedOfRun } from '../faults/random.ts'
import { expectSound, keepRow, rowOf } from '../faults/report.ts'
import { verifyWrites } from '../faults/verify.ts'
import { MACHINES, type MachineName, type PostgresCluster } from './postgres.ts'
import type { TestCluster } from './startCluster.ts'
import { watchWriters } from './writers.ts'

/** The longest permitted time without writes. */
const MAX_GAP_MS = 45_000
const TIMEOUT_MS = 90_000
const CUSTOMERS = 8

/** A fault of the leader. `inject` returns a function that undoes it after the failover. */
export type Fault = {
  readonly name: string
  readonly inject: (postgres: PostgresCluster, leader: MachineName) => Promise<() => Promise<void>>
}

/** Applies the faults to the leader in turn, under load, and checks the result. `name` is that of the test file. */
export async function loseLeaders(
  { postgres, balancer, participants }: TestCluster,
  { part, name, faults }: { part: string; name: string; faults: readonly Fault[] },
): Promise<void> {
  const random = randomOf(seedOfRun()).part(name)
  const writers = await watchWriters(postgres)
  const load = startLoad({ origins: [balancer.origin], participants, random, customers: CUSTOMERS })
  const gapsMs: number[] = []
  for (const [turn, { name: faultName, inject }] of faults.entries()) {
    const leader = await postgres.untilComplete()
    await load.untilWrites(random.between(50, 200))
    await sleep(random.between(0, 2_000))
    const gap = watchGap(load)
    const undo = await inject(postgres, leader)
    const next = await waitForNewLeader(postgres, leader)
    await load.untilWrites(50, TIMEOUT_MS)
    gapsMs.push(gap.stop())
    await undo()
    console.log(
      `${turn + 1}. ${faultName}: ${leader} -> ${next}, ${seconds(gapsMs.at(-1)!)} without a write`,
    )
  }
  await postgres.untilComplete()
  await load.untilWrites(50)
  const result = await load.stop()
  const verification = await verifyWrites(balancer.databaseUrl, result)
  const writes = await writers.stop()
  console.log(
    `On direct connections, servers acknowledged ${writes.acknowledged} writes in ${writes.terms} terms.`,
  )
  const command = `npm run test:cluster -- ${name}`
  await keepRow(rowOf({ part, command, faults: countOf(faults) }, result, verification))
  expectSound(result, verification)
  expect(writes).toMatchObject({ lost: [], wrongServer: [], afterTerm: [] })
  expect(writes.terms).toBeGreaterThan(faults.length)
  expect(Math.max(...gapsMs)).toBeLessThan(MAX_GAP_MS)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function countOf(faults: readonly Fault[]): string {
  const names = [...new Set(faults.map(({ name }) => name))]
  return names
    .map((name) => `${faults.filter((fault) => fault.name === name).length} × ${name}`)
    .join(', ')
}

/** Waits for a new leader. Asks Patroni on the network of the load balancer. */
async function waitForNewLeader(postgres: PostgresCluster, old: MachineName): Promise<MachineName> {
  const deadlineMs = performance.now() + TIMEOUT_MS
  for (;;) {
    for (const name of MACHINES.filter((name) => name !== old)) {
      const state = await postgres.stateOf(name)
      if (state?.state === 'running' && /^(master|primary)$/.test(state.role)) return name
    }
    if (performance.now() > deadlineMs) throw new Error(`No new leader after ${old}`)
    await sleep(200)
  }
}

/** Measures the longest time without an acknowledged write, from now on. */
function watchGap(load: Load) {
  let writes = load.count().writes
  let sinceMs = performance.now()
  let longestMs = 0
  function measure(): void {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - sinceMs)
    const { writes: current } = load.count()
    if (current !== writes) [writes, sinceMs] = [current, nowMs]
  }
  const timer = setInterval(measure, 50)
  return {
    stop(): number {
      clearInterval(timer)
      measure()
      return longestMs
    },
  }
}
