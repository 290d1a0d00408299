import { beforeAll, expect, it } from 'vitest'
import { judge } from '../faults/judge.ts'
import { startLoad } from '../faults/load.ts'
import { randomOf, seedOfRun } from '../faults/random.ts'
import { expectSound, keepRow, rowOf } from '../faults/report.ts'
import { openStage, type Stage } from './stage.ts'
import { startWaiters } from './waiters.ts'

const ROUNDS = 3

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  return stage.remove
})

it('fails no request during a rolling restart of its two nodes', async () => {
  const { balancer, nodes, players } = stage
  const random = randomOf(seedOfRun()).part('rolling')
  const load = startLoad({ origins: [balancer.origin], players, random, customers: 8 })
  const waiters = startWaiters(balancer.origin, players)
  for (let round = 0; round < ROUNDS; round++) {
    for (const node of nodes) {
      await load.untilWrites(random.between(20, 200))
      await node.end('SIGTERM')
      await node.start()
    }
  }
  await load.untilWrites(50)
  const result = await load.stop()
  const waited = await waiters.stop()
  console.log(
    `${waited.polls} long polls, ${waited.streams} streams, ${waited.notified} notifications`,
  )
  const verdict = await judge(balancer.databaseUrl, result)
  const part = { part: 'rolling restart', command: 'npm run test:cluster -- rolling' }
  const faults = `${ROUNDS * nodes.length} restarts`
  await keepRow(rowOf({ ...part, faults }, result, verdict))
  expectSound(result, verdict)
  expect([result.unanswered, result.busy, waited.failed]).toEqual([0, 0, []])
  // Some were held by a node when it stopped, and continued on the other.
  expect(waited.polls + waited.streams).toBeGreaterThan(waited.notified)
})
