import type { Queryable, Tx } from '../database/database.ts'
import { LATENCY_BUCKETS_MS, type Load } from '../platform/load.ts'

/** A server process. */
type Node = {
  readonly nodeId: string
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly startedAt: Date
  readonly seenAt: Date
  readonly isReady: boolean
  readonly memoryBytes: number
  /** When it last received forwarding headers while no proxy is trusted; null if never. */
  readonly forwardedAt: Date | null
}

export async function upsertNode(tx: Tx, node: Omit<Node, 'seenAt'>): Promise<void> {
  await tx.execute(
    `insert into node (node_id, host, pid, version, started_at, seen_at, is_ready, memory, forwarded_at)
     values ($1, $2, $3, $4, $5, now(), $6, $7, $8)
     on conflict (node_id) do update
     set seen_at = excluded.seen_at, is_ready = excluded.is_ready, memory = excluded.memory,
       forwarded_at = excluded.forwarded_at`,
    [
      node.nodeId,
      node.host,
      node.pid,
      node.version,
      node.startedAt,
      node.isReady,
      node.memoryBytes,
      node.forwardedAt,
    ],
  )
}

export async function insertSample(
  tx: Tx,
  sample: Load & { readonly nodeId: string; readonly seconds: number },
): Promise<void> {
  await tx.execute(
    `insert into node_sample (at, node_id, seconds, answers, faults, within)
     values (now(), $1, $2, $3, $4, $5)`,
    [sample.nodeId, sample.seconds, sample.responses, sample.faults, sample.bucketCounts],
  )
}

export async function deleteNode(tx: Tx, nodeId: string): Promise<void> {
  await tx.execute('delete from node where node_id = $1', [nodeId])
}

/** `silentMs` is the time since the last report of a node, by the clock of the database. */
export async function listNodes(on: Queryable): Promise<(Node & { silentMs: number })[]> {
  return on.query<Node & { silentMs: number }>(
    `select node_id as "nodeId", host, pid, version, started_at as "startedAt", seen_at as "seenAt",
       is_ready as "isReady", memory::float8 as "memoryBytes", forwarded_at as "forwardedAt",
       (extract(epoch from now() - seen_at) * 1000)::float8 as "silentMs"
     from node
     order by host, pid, node_id`,
  )
}

type MinuteLoad = Load & {
  readonly at: Date
  readonly nodeId: string
  /**
   * The time that the samples cover. Less than a minute in the first and the last minute, and if the node started or stopped
   * in it.
   */
  readonly seconds: number
}

/** By minute and node, oldest first. */
export async function readLoad(on: Queryable, minutes: number): Promise<MinuteLoad[]> {
  return on.query<MinuteLoad>(
    `select date_trunc('minute', s.at) as at, s.node_id as "nodeId", sum(s.seconds)::float8 as seconds,
       sum(s.answers)::int as responses, sum(s.faults)::int as faults,
       array(
         select sum(u.count)::int
         from unnest(array_agg(s.within)) with ordinality as u (count, place)
         group by (u.place - 1) % $2
         order by (u.place - 1) % $2
       ) as "bucketCounts"
     from node_sample s
     where s.at > now() - $1::int * interval '1 minute'
     group by 1, 2
     order by 1, 2`,
    [minutes, LATENCY_BUCKETS_MS.length + 1],
  )
}
