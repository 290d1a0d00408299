import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import { startCluster, type TestCluster } from './startCluster.ts'

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startCluster()
  return cluster.remove
})

/** Pauses the leader, or one program on it, while another machine takes over, and then resumes it. */
const hang = (name: string, program?: string): Fault => ({
  name,
  inject: async (postgres, leader) => {
    postgres.machines[leader].signal('SIGSTOP', program)
    return async () => postgres.machines[leader].signal('SIGCONT')
  },
})

const HANGS = [
  hang('machine hangs'),
  hang('Patroni hangs', 'patroni'),
  hang('PostgreSQL hangs', 'postgres'),
]

it('the cluster loses no acknowledged write when its leader hangs and resumes', async () => {
  await loseLeaders(cluster, { part: 'leader hangs', name: 'hangs', faults: HANGS })
})
