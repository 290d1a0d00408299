import { randomUUID } from 'node:crypto'
import { CommitUnknown, WorkerUnavailable } from '../errors.ts'
import { createPipeline } from '../pipeline.ts'
import { STATEMENT_TIMEOUT_MS, withClient } from '../transaction.ts'
import type { Branch } from './branch.ts'
import type { Servers } from './pools.ts'
import type { Worker } from './shardMap.ts'

/** No other class of advisory locks has this number (sql/locks.ts). */
const COMMIT_LOCK = 21
const PREFIX = 'florin_'

/** The command for a branch. All branches of a transaction have one name: each worker has its own list of prepared transactions. */
export const commandOf = <Name extends string>(name: Name, id: string) =>
  `${name} '${PREFIX}${id}'` as const

/** Ends all branches. Waits for each, even if one fails. */
export async function endAll(branches: readonly Branch[], command: Parameters<Branch['end']>[0]) {
  const results = await Promise.allSettled(branches.map((branch) => branch.end(command)))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/**
 * Commits on several workers. A transaction of the coordinator decides: its row is visible once it has committed, and its
 * lock shows that it has not decided yet. What fails afterwards is left to `recoverCommits`.
 */
export async function commitInTwoPhases(
  onDecisionPool: Servers['onDecisionPool'],
  writers: readonly Branch[],
) {
  const id = randomUUID()
  try {
    await onDecisionPool(async (tx) => {
      await Promise.all([
        tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [COMMIT_LOCK, id]),
        tx.execute('insert into worker_commit (id, at) values ($1, now())', [id]),
      ])
      await endAll(writers, commandOf('prepare transaction', id)).catch((error: unknown) => {
        // Nothing is decided, so the outcome is known.
        throw error instanceof CommitUnknown ? new WorkerUnavailable(error.cause) : error
      })
    })
  } catch (error) {
    const isUnknown = error instanceof CommitUnknown
    if (!isUnknown) await endAll(writers, commandOf('rollback prepared', id)).catch(() => {})
    throw error
  }
  await endAll(writers, commandOf('commit prepared', id)).catch(() => {})
}

/** The decision of the coordinator; null while it is open. */
async function decisionOf({ onDecisionPool }: Servers, id: string) {
  return onDecisionPool(async (tx) => {
    // Shared: the branches of one transaction are recovered at the same time.
    const [lock] = await tx.query<{ isGranted: boolean }>(
      'select pg_try_advisory_xact_lock_shared($1, hashtext($2)) as "isGranted"',
      [COMMIT_LOCK, id],
    )
    if (!lock!.isGranted) return null
    const rows = await tx.query('select 1 from worker_commit where id = $1', [id])
    return rows.length > 0 ? 'commit prepared' : 'rollback prepared'
  })
}

/**
 * Ends the branches that a crash left prepared, as the coordinator decided, and removes decisions that no worker needs any
 * more. Returns the errors of workers that can't be reached: their branches wait.
 */
export async function recoverCommits(servers: Servers): Promise<unknown[]> {
  // Read before the branches: a decision is made after all branches are prepared.
  const oldCommits = await servers.onDecisionPool((tx) =>
    tx.query<{ id: string }>(
      `select id::text from worker_commit where at < now() - interval '1 minute' limit 10000`,
    ),
  )
  const pending = new Set<string>()
  const workers = servers.map.workers()
  const results = await Promise.allSettled(
    workers.map(async (worker) => {
      for (const id of await recoverWorker(servers, worker)) pending.add(id)
    }),
  )
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const done = oldCommits.map(({ id }) => id).filter((id) => !pending.has(id))
  // While the workers are unknown, any of them may need a decision.
  if (workers.length > 0 && errors.length === 0 && done.length > 0) {
    await servers.onDecisionPool((tx) =>
      tx.execute('delete from worker_commit where id = any($1)', [done]),
    )
  }
  return errors
}

/** Returns the ids of the branches that were found prepared. */
async function recoverWorker(servers: Servers, worker: Worker) {
  return withClient(servers.pools.of(worker), async (client) => {
    const { rows } = await createPipeline(client, STATEMENT_TIMEOUT_MS).send(
      `select substr(gid, length($1) + 1) as id
       from pg_prepared_xacts
       where database = current_database() and starts_with(gid, $1)`,
      [PREFIX],
    )
    const ids = (rows as { id: string }[]).map((row) => row.id)
    for (const id of ids) {
      const decision = await decisionOf(servers, id)
      // Another process may have ended it in the meantime.
      if (decision !== null) await client.query(commandOf(decision, id)).catch(() => {})
    }
    return ids
  })
}
