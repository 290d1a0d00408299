import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  return stage.remove
})

/** Stopped while another one takes over, and then going on where it was. */
const hang = (name: string, program?: string): Fault => ({
  name,
  strike: async (postgres, leader) => {
    postgres.machines[leader].signal('SIGSTOP', program)
    return async () => postgres.machines[leader].signal('SIGCONT')
  },
})

const HANGS = [
  hang('machine hangs'),
  hang('Patroni hangs', 'patroni'),
  hang('PostgreSQL hangs', 'postgres'),
]

it('loses nothing when its leader hangs and comes back', async () => {
  await loseLeaders(stage, { part: 'leader hangs', name: 'hangs', faults: HANGS })
})
