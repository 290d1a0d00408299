import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Branch, openBranch } from '../../src/database/citus/branch.ts'
import { NotDirect, type Servers } from '../../src/database/citus/pools.ts'
import type { Worker } from '../../src/database/citus/shardMap.ts'
import { commandOf, commitInTwoPhases, recoverCommits } from '../../src/database/citus/twoPhase.ts'
import { openPool } from '../../src/database/database.ts'
import { CommitUnknown } from '../../src/database/errors.ts'
import { runTransaction, STATEMENT_TIMEOUT_MS } from '../../src/database/transaction.ts'
import { startEmbedded } from '../../src/embedded/server.ts'

// Two-phase commit is a feature of plain PostgreSQL, so two ordinary servers stand in for the workers. The first one also has
// the database of the coordinator.
const WORKERS: Worker[] = ['one', 'two'].map((id) => ({ id, host: 'localhost', port: 1 }))

let folder: string
let coordinator: pg.Pool
const stops: (() => Promise<void>)[] = []
const workerPools = new Map<string, pg.Pool>()
const unreachable = new Set<string>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-two-phase-'))
  const urls = await Promise.all(WORKERS.map(({ id }) => startServer(join(folder, id))))
  const decisions = 'create table worker_commit (id uuid primary key, at timestamptz not null)'
  coordinator = await createDatabase(urls[0]!, 'coordinator', decisions)
  const table = 'create table entry (number int unique deferrable initially deferred)'
  for (const [index, { id }] of WORKERS.entries()) {
    workerPools.set(id, await createDatabase(urls[index]!, 'worker', table))
  }
})
afterAll(async () => {
  await Promise.all([coordinator, ...workerPools.values()].map((pool) => pool.end()))
  await Promise.all(stops.map((stop) => stop()))
  await rm(folder, { recursive: true, force: true })
})

/** Starts a server that allows prepared transactions. The embedded server allows none, because only Citus needs them. */
async function startServer(dataFolder: string): Promise<string> {
  const start = () => startEmbedded({ folder: dataFolder, log: () => {} })
  await (await start()).stop()
  await appendFile(join(dataFolder, 'postgres/postgresql.conf'), 'max_prepared_transactions = 10\n')
  const { url, stop } = await start()
  stops.push(stop)
  return url
}

beforeEach(async () => {
  unreachable.clear()
  await recoverCommits(servers)
  await coordinator.query('delete from worker_commit')
  for (const pool of workerPools.values()) await pool.query('delete from entry')
})

async function createDatabase(url: string, name: string, table: string): Promise<pg.Pool> {
  const open = (database: string) => {
    const databaseUrl = new URL(url)
    databaseUrl.pathname = `/${database}`
    return openPool({ url: databaseUrl.href, poolSize: 3, poolTimeoutMs: 5_000 }, '')
  }
  const admin = open('postgres')
  await admin.query(`create database ${name}`)
  await admin.end()
  const pool = open(name)
  await pool.query(table)
  return pool
}

const decide: Servers['onDecisionPool'] = (work) =>
  runTransaction(
    {
      pool: coordinator,
      isDistributed: true,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      onRetry: undefined,
    },
    work,
  )
const pools: Servers['pools'] = {
  of({ id }) {
    if (unreachable.has(id)) throw new NotDirect(new Error(`${id} is unreachable`))
    return workerPools.get(id)!
  },
  markUnreachable: () => {},
  close: async () => {},
}
const serversWith = (workers: readonly Worker[]): Servers => ({
  map: { workers: () => [...workers] } as Servers['map'],
  pools,
  onCoordinator: decide,
  onDecisionPool: decide,
})
const servers = serversWith(WORKERS)

/** Writes this number on each worker and runs `commit`. */
async function writeEverywhere(number: number, commit: (writers: Branch[]) => Promise<void>) {
  const writers = await Promise.all(WORKERS.map((worker) => openBranch(pools, worker)))
  try {
    for (const writer of writers) await writer.send('insert into entry values ($1)', [number])
    await commit(writers)
  } finally {
    await Promise.all(writers.map((writer) => writer.release()))
  }
}

async function onEachWorker(text: string): Promise<unknown[]> {
  const results = WORKERS.map(({ id }) => workerPools.get(id)!.query(text))
  return (await Promise.all(results)).map(({ rows }) => rows)
}
const readEntries = () => onEachWorker('select number from entry')
const countPrepared = async () => {
  const text =
    'select count(*)::int as count from pg_prepared_xacts where database = current_database()'
  return (await onEachWorker(text)).map((rows) => (rows as { count: number }[])[0]!.count)
}
const countDecisions = async () =>
  (await coordinator.query<{ count: number }>('select count(*)::int as count from worker_commit'))
    .rows[0]!.count

/** Like a process that dies before it sends COMMIT PREPARED. */
const dyingBeforeCommit = (writers: Branch[]) =>
  writers.map((writer) => ({
    ...writer,
    end: async (sent: Parameters<Branch['end']>[0]) => {
      if (sent.startsWith('commit prepared')) throw new Error('The process died')
      await writer.end(sent)
    },
  }))

it('commits on all workers', async () => {
  await writeEverywhere(1, (writers) => commitInTwoPhases(decide, writers))
  expect(await readEntries()).toEqual([[{ number: 1 }], [{ number: 1 }]])
  expect(await countPrepared()).toEqual([0, 0])
  expect(await countDecisions()).toBe(1)
})

it('commits on no worker if one refuses', async () => {
  await workerPools.get('two')!.query('insert into entry values (1)')
  const failed = writeEverywhere(1, (writers) => commitInTwoPhases(decide, writers))
  await expect(failed).rejects.toThrow('duplicate key')
  expect(await readEntries()).toEqual([[], [{ number: 1 }]])
  expect(await countPrepared()).toEqual([0, 0])
  expect(await countDecisions()).toBe(0)
})

it('commits what a crash after the decision left prepared', async () => {
  await writeEverywhere(1, (writers) => commitInTwoPhases(decide, dyingBeforeCommit(writers)))
  expect(await readEntries()).toEqual([[], []])
  expect(await countPrepared()).toEqual([1, 1])
  expect(await recoverCommits(servers)).toEqual([])
  expect(await readEntries()).toEqual([[{ number: 1 }], [{ number: 1 }]])
  expect(await countPrepared()).toEqual([0, 0])
})

it.each([
  ['was lost', [[], []]],
  ['has arrived', [[{ number: 1 }], [{ number: 1 }]]],
])(
  'looks up the decision if the response to the COMMIT of the coordinator is missing: the COMMIT %s',
  async (_, expected) => {
    const lose = () => {
      throw new CommitUnknown(new Error('The connection broke'))
    }
    const decideWithoutResponse: Servers['onDecisionPool'] = async (work) => {
      if (expected[0]!.length > 0) return decide(work).then(lose)
      return decide(async (tx) => {
        await work(tx)
        return lose()
      })
    }
    const failed = writeEverywhere(1, (writers) =>
      commitInTwoPhases(decideWithoutResponse, writers),
    )
    await expect(failed).rejects.toThrow(CommitUnknown)
    expect(await countPrepared()).toEqual([1, 1])
    expect(await recoverCommits(servers)).toEqual([])
    expect(await countPrepared()).toEqual([0, 0])
    expect(await readEntries()).toEqual(expected)
  },
)

it('rolls back what a crash left prepared before the decision', async () => {
  const failed = writeEverywhere(1, async (writers) => {
    await writers[0]!.end(commandOf('prepare transaction', '6a7d5dcd-5a30-4d80-9f20-2a3c8ad4d7a1'))
    throw new Error('The process died')
  })
  await expect(failed).rejects.toThrow('The process died')
  expect(await countPrepared()).toEqual([1, 0])
  expect(await recoverCommits(servers)).toEqual([])
  expect(await countPrepared()).toEqual([0, 0])
  expect(await readEntries()).toEqual([[], []])
})

it('leaves branches prepared while their decision is open', async () => {
  const prepared: number[][] = []
  const decideSlowly: Servers['onDecisionPool'] = (work) =>
    decide(async (tx) => {
      const result = await work(tx)
      expect(await recoverCommits(servers)).toEqual([])
      prepared.push(await countPrepared())
      return result
    })
  await writeEverywhere(1, (writers) => commitInTwoPhases(decideSlowly, writers))
  expect(prepared).toEqual([[1, 1]])
  expect(await readEntries()).toEqual([[{ number: 1 }], [{ number: 1 }]])
})

it('removes old decisions only if all workers are known and reachable', async () => {
  await coordinator.query(
    `insert into worker_commit values (gen_random_uuid(), now() - interval '1 hour')`,
  )
  expect(await recoverCommits(serversWith([]))).toEqual([])
  expect(await countDecisions()).toBe(1)
  unreachable.add('two')
  expect(await recoverCommits(servers)).toEqual([expect.any(NotDirect)])
  expect(await countDecisions()).toBe(1)
  unreachable.clear()
  expect(await recoverCommits(servers)).toEqual([])
  expect(await countDecisions()).toBe(0)
})
