import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import type { Link } from './network.ts'
import { startCluster, type TestCluster } from './startCluster.ts'

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startCluster()
  return cluster.remove
})

const cut = (name: string, ...links: Link[]): Fault => ({
  name,
  inject: async ({ network }, leader) => {
    network.cut(leader, ...links)
    return async () => network.heal(leader)
  },
})

const FROM_PEERS = cut('cut off from the other machines, not from the load balancer', 'peers')
const FROM_ALL = cut('cut off from all machines', 'peers', 'front')

it('the cluster loses no acknowledged write when its leader is partitioned five times under load', async () => {
  const faults = [FROM_PEERS, FROM_ALL, FROM_PEERS, FROM_ALL, FROM_PEERS]
  await loseLeaders(cluster, { part: 'leader cut off', name: 'partitions', faults })
})
