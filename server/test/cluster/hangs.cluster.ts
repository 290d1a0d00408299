import { readFile } from 'node:fs/promises'
import { beforeAll, it } from 'vitest'
import { type Fault, loseLeaders } from './failover.ts'
import type { Name, PostgresCluster } from './postgres.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  return stage.remove
})

async function pidsOf(postgres: PostgresCluster, leader: Name, program: string): Promise<number[]> {
  const pids = postgres.machines[leader].pids()
  const names = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')),
  )
  return pids.filter((_, index) => names[index]!.trim() === program)
}

/** Stopped while another one takes over, and then going on where it was. */
const hang = (name: string, program: string | null): Fault => ({
  name,
  strike: async (postgres, leader) => {
    const pids =
      program === null ? postgres.machines[leader].pids() : await pidsOf(postgres, leader, program)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    return async () => postgres.machines[leader].signal('SIGCONT')
  },
})

const HANGS = [
  hang('machine hangs', null),
  hang('Patroni hangs', 'patroni'),
  hang('PostgreSQL hangs', 'postgres'),
]

it('loses nothing when its leader hangs and comes back', async () => {
  await loseLeaders(stage, { part: 'leader hangs', name: 'hangs', faults: HANGS })
})
