import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KillableService, prepareKillableService } from '../../faults/killable.ts'
import { startLoad } from '../../faults/load.ts'
import { createParticipants } from '../../faults/participants.ts'
import { randomOf, seedOfRun } from '../../faults/random.ts'
import { expectSound, keepRow, rowOf } from '../../faults/report.ts'
import { verifyWrites } from '../../faults/verify.ts'
import { type ClusterDatabase, createClusterDatabase, onNode } from './clusterDatabase.ts'

const MOVES = 4
/** The other distributed tables are colocated with one of these. */
const TABLES = ['payment', 'wallet']

let database: ClusterDatabase
let service: KillableService
beforeAll(async () => {
  database = await createClusterDatabase()
  service = await prepareKillableService({ env: { DATABASE_URL: database.url, FLORIN_DEMO: '1' } })
  await service.start()
})
afterAll(async () => {
  await service.remove()
  await database.drop()
})

type Move = { shard: string; fromHost: string; fromPort: number; toHost: string; toPort: number }

it(`moving ${MOVES} shards under load loses nothing`, async () => {
  const random = randomOf(seedOfRun()).part('citus-rebalance')
  const participants = await createParticipants(service.origin, await service.demo())
  const load = startLoad({ origins: [service.origin], participants, random })
  await load.untilWrites(50)
  await onNode(database.url, async (client) => {
    const moves: Move[] = []
    for (const table of TABLES) {
      const { rows } = await client.query<Move>(
        // One target for each shard, whatever the number of workers.
        `select distinct on (s.shardid)
           s.shardid as shard, n.nodename as "fromHost", n.nodeport as "fromPort",
           t.nodename as "toHost", t.nodeport as "toPort"
         from pg_dist_shard s
         join pg_dist_placement p on p.shardid = s.shardid
         join pg_dist_node n on n.groupid = p.groupid
         join pg_dist_node t on t.groupid <> p.groupid and t.shouldhaveshards
         where s.logicalrelid = $1::regclass
         order by s.shardid, t.groupid
         limit $2`,
        [table, MOVES / TABLES.length],
      )
      moves.push(...rows)
    }
    expect(moves).toHaveLength(MOVES)
    for (const { shard, fromHost, fromPort, toHost, toPort } of moves) {
      await client.query(`select citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')`, [
        shard,
        fromHost,
        fromPort,
        toHost,
        toPort,
      ])
      await load.untilWrites(20)
    }
  })
  const result = await load.stop()
  const verification = await verifyWrites(database.url, result)
  const part = {
    part: 'Citus shards moved',
    command: 'npm run test:citus -- rebalance',
    faults: `${MOVES} moves of a shard`,
  }
  await keepRow(rowOf(part, result, verification))
  expectSound(result, verification)
})
