import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  return stage.remove
})

/** Pauses the leader while another one takes over, and then resumes it. */
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

it('loses nothing when its leader hangs and resumes', async () => {
  await loseLeaders(stage, { part: 'leader hangs', name: 'hangs', faults: HANGS })
})
