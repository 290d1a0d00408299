import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import { startCluster, type TestCluster } from './startCluster.ts'

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startCluster()
  return cluster.remove
})

/** Kills everything that runs on the machine. */
const machine: Fault = {
  name: 'machine killed',
  inject: async (postgres, leader) => {
    postgres.machines[leader].signal('SIGKILL')
    return () => postgres.restartEnded(leader)
  },
}

const patroniAndPostgres: Fault = {
  name: 'PostgreSQL and Patroni killed',
  inject: async (postgres, leader) => {
    const postmaster = await postgres.postmasterPidOf(leader)
    for (const pid of [postgres.patroniPidOf(leader), postmaster]) process.kill(pid, 'SIGKILL')
    return () => postgres.restartEnded(leader)
  },
}

/** Kills Patroni, so that the old leader keeps running without supervision. */
const patroniAlone: Fault = {
  name: 'Patroni alone killed',
  inject: async (postgres, leader) => {
    process.kill(postgres.patroniPidOf(leader), 'SIGKILL')
    return () => postgres.restartEnded(leader)
  },
}

const KILLS = [machine, patroniAndPostgres, patroniAlone, machine, patroniAndPostgres]

it('the cluster loses no acknowledged write in ten failovers under load, after its leader or only Patroni is killed', async () => {
  await loseLeaders(cluster, { part: 'leader killed', name: 'kills', faults: [...KILLS, ...KILLS] })
})
