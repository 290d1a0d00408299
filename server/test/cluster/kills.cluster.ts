import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  return stage.remove
})

/** Kills everything that runs there, like a power failure. */
const machine: Fault = {
  name: 'machine killed',
  strike: async (postgres, leader) => {
    postgres.machines[leader].signal('SIGKILL')
    return () => postgres.startAgain(leader)
  },
}

const patroniAndPostgres: Fault = {
  name: 'PostgreSQL and Patroni killed',
  strike: async (postgres, leader) => {
    const postmaster = await postgres.postmaster(leader)
    for (const pid of [postgres.patroniOf(leader), postmaster]) process.kill(pid, 'SIGKILL')
    return () => postgres.startAgain(leader)
  },
}

/** Kills Patroni, so that the old leader keeps running without supervision. */
const patroniAlone: Fault = {
  name: 'Patroni alone killed',
  strike: async (postgres, leader) => {
    process.kill(postgres.patroniOf(leader), 'SIGKILL')
    return () => postgres.startAgain(leader)
  },
}

const KILLS = [machine, patroniAndPostgres, patroniAlone, machine, patroniAndPostgres]

it('loses nothing when its leader is killed ten times under load', async () => {
  await loseLeaders(stage, { part: 'leader killed', name: 'kills', faults: [...KILLS, ...KILLS] })
})
