import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import type { Link } from './network.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  return stage.remove
})

const cut = (name: string, ...links: Link[]): Fault => ({
  name,
  strike: async ({ network }, leader) => {
    network.cut(leader, ...links)
    return async () => network.heal(leader)
  },
})

const FROM_PEERS = cut('cut off from the other machines, not from the balancer', 'peers')
const FROM_ALL = cut('cut off from all machines', 'peers', 'front')

it('loses nothing when its leader is partitioned five times under load', async () => {
  const faults = [FROM_PEERS, FROM_ALL, FROM_PEERS, FROM_ALL, FROM_PEERS]
  await loseLeaders(stage, { part: 'leader cut off', name: 'partitions', faults })
})
