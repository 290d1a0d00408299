import { beforeAll, expect, it } from 'vitest'
import { startLoad } from '../faults/load.ts'
import { randomOf, seedOfRun } from '../faults/random.ts'
import { expectSound, keepRow, rowOf } from '../faults/report.ts'
import { verifyWrites } from '../faults/verify.ts'
import { startCluster, type TestCluster } from './startCluster.ts'
import { startWaiters } from './waiters.ts'

const ROUNDS = 3

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startCluster()
  return cluster.remove
})

it('the cluster fails no request during rolling restarts of its two nodes', async () => {
  const { balancer, nodes, participants } = cluster
  const random = randomOf(seedOfRun()).part('rolling')
  const load = startLoad({ origins: [balancer.origin], participants, random, customers: 8 })
  const waiters = startWaiters(balancer.origin, participants)
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
  const verification = await verifyWrites(balancer.databaseUrl, result)
  const part = {
    part: 'rolling restart',
    command: 'npm run test:cluster -- rolling',
    faults: `${ROUNDS * nodes.length} restarts`,
  }
  await keepRow(rowOf(part, result, verification))
  expectSound(result, verification)
  expect([result.unanswered, result.busy, waited.failed]).toEqual([0, 0, []])
  // Some polls and streams were held by a node when it stopped, and continued on the other.
  expect(waited.polls + waited.streams).toBeGreaterThan(waited.notified)
})
