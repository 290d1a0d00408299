import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type KillableService, prepareKillableService } from '../faults/killable.ts'
import { createParticipants, type Participants } from '../faults/participants.ts'
import { until } from '../setup/started.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type PostgresCluster, startPostgres } from './postgres.ts'

export type TestCluster = {
  readonly postgres: PostgresCluster
  readonly balancer: Balancer
  readonly nodes: readonly KillableService[]
  readonly participants: Participants
  readonly remove: () => Promise<void>
}

/** Clients -> HAProxy -> two nodes of the service -> HAProxy -> three PostgreSQL servers. */
export async function startCluster(): Promise<TestCluster> {
  const undo: (() => Promise<unknown>)[] = []
  const remove = async () => {
    for (const step of undo.reverse()) await step()
  }
  try {
    const postgres = await startPostgres()
    undo.push(postgres.remove)
    const folder = join(postgres.network.folder, 'florin')
    await mkdir(folder)
    const nodes = [
      await prepareKillableService({ folder }),
      await prepareKillableService({ folder }),
    ]
    const balancer = await startBalancer(postgres, nodes)
    undo.push(balancer.stop)
    const env = {
      DATABASE_URL: balancer.databaseUrl,
      FLORIN_DEMO: '1',
      FLORIN_TRUST_PROXY: '1',
      FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
      FLORIN_PEPPER: randomBytes(32).toString('base64'),
      FLORIN_LOG_LEVEL: 'warn',
    }
    undo.push(() => Promise.all(nodes.map((node) => node.end('SIGKILL'))))
    for (const node of nodes) await node.start({ env })
    await until(async () => (await fetch(`${balancer.origin}/ready`)).ok)
    const participants = await createParticipants(balancer.origin, await nodes[0]!.demo())
    return { postgres, balancer, nodes, participants, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
