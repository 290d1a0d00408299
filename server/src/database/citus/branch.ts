import { DatabaseUnavailable, sqlState, WorkerUnavailable } from '../errors.ts'
import { createPipeline } from '../pipeline.ts'
import { connect, endTransaction, STATEMENT_TIMEOUT_MS } from '../transaction.ts'
import { NotDirect, type WorkerPools } from './pools.ts'
import type { Worker } from './shardMap.ts'

const UNDEFINED_TABLE = '42P01'

/** Converts an error of a worker. A table is missing if its shard has moved and Citus has dropped the old copy. */
export function translateWorkerError(error: unknown): unknown {
  if (error instanceof WorkerUnavailable) return error
  if (error instanceof DatabaseUnavailable) return new WorkerUnavailable(error.cause)
  return sqlState(error) === UNDEFINED_TABLE ? new NotDirect(error) : error
}

/** Counts the given shards that are on this worker. When Citus has moved a shard, it updates the placements on all servers. */
export const COUNT_SHARDS = `
  select count(*)::int as count
  from pg_dist_placement p
  join pg_dist_local_group g on g.groupid = p.groupid
  where p.shardid = any($1::bigint[])`

export function mustHaveShards(rows: readonly unknown[], expected: number): void {
  const [{ count }] = rows as [{ count: number }]
  if (count !== expected) throw new NotDirect(new Error('A shard has moved'))
}

/** ShareLock, as Citus takes it for a write: moving the shard waits for it, other writes don't. */
export const LOCK_SHARDS = 'select lock_shard_metadata(5, $1::bigint[])'

type Command = Parameters<typeof endTransaction>[1]

/** The part of a transaction that runs on one worker. */
export type Branch = {
  /** Locks the shards against being moved, and makes sure that they are on this worker. */
  enter(shardIds: readonly string[]): void
  send(text: string, values: readonly unknown[]): Promise<{ rows: unknown[]; command: string }>
  /** If the statement fails, so does the end of the transaction. */
  sendInBackground(text: string, values: readonly unknown[]): void
  /** Commits the transaction, or runs a step of a two-phase commit. Throws if a statement in the background has failed. */
  end(command: Command): Promise<void>
  /** Rolls back unless the transaction is committed or prepared. Returns the connection, or discards it if it is broken. */
  release(): Promise<void>
}

export async function openBranch(pools: WorkerPools, worker: Worker): Promise<Branch> {
  const client = await connect(pools.of(worker)).catch((error: unknown) => {
    pools.markUnreachable(worker)
    throw new NotDirect(error)
  })
  // The pending query fails as well. Without a listener the event would crash the process.
  const ignore = () => {}
  client.on('error', ignore)
  const pipeline = createPipeline(client, STATEMENT_TIMEOUT_MS)
  const background: Promise<unknown>[] = []
  let isOpen = true
  let broken: Error | undefined

  const send: Branch['send'] = async (text, values) =>
    pipeline.send(text, values).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) broken = error
      throw translateWorkerError(error)
    })
  const inBackground = (work: Promise<unknown>) => {
    work.catch(ignore)
    background.push(work)
  }
  inBackground(send('begin isolation level read committed', []))

  return {
    enter(shardIds) {
      inBackground(send(LOCK_SHARDS, [shardIds]))
      inBackground(
        send(COUNT_SHARDS, [shardIds]).then(({ rows }) => mustHaveShards(rows, shardIds.length)),
      )
    },
    send,
    sendInBackground: (text, values) => inBackground(send(text, values)),
    async end(command) {
      await Promise.all(background)
      try {
        await endTransaction(client, command, { isDistributed: false })
        isOpen = false
      } catch (error) {
        broken = error as Error
        throw translateWorkerError(error)
      }
    },
    async release() {
      pipeline.close()
      if (isOpen && broken === undefined) {
        await createPipeline(client, STATEMENT_TIMEOUT_MS)
          .send('rollback')
          .catch((error: Error) => {
            broken = error
          })
      }
      client.off('error', ignore)
      client.release(broken)
    },
  }
}
