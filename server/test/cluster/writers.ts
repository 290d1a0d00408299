import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sqlState } from '../../src/database/errors.ts'
import { MACHINES, type MachineName, type PostgresCluster } from './postgres.ts'

const WRITE_INTERVAL_MS = 400
const WRITE_TIMEOUT_MS = 2_500
const READ_ONLY = '25006'
// The first part of the name of a WAL file is the timeline, which is a leader's term.
const WRITE = `
  insert into written (name, timeline)
  values ($1, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int)
  returning id, timeline`

/** A write that a server acknowledged on a direct connection. */
type AcknowledgedWrite = {
  id: string
  name: MachineName
  timeline: number
  sentMs: number
  atMs: number
}

/**
 * Constantly tries to write on every server, bypassing the load balancer and cut links. Only the
 * leader may accept writes.
 */
export async function watchWriters(postgres: PostgresCluster) {
  const acknowledged: AcknowledgedWrite[] = []
  let isStopped = false

  async function prepare(): Promise<void> {
    const client = postgres.connect(await postgres.untilComplete())
    await client.connect()
    await client.query(
      `create table if not exists written (
         id       bigint generated always as identity primary key,
         name     text not null,
         timeline integer not null
       )`,
    )
    await client.end()
  }

  async function writeOnce(client: pg.Client, name: MachineName): Promise<void> {
    const sentMs = performance.now()
    const { rows } = await client.query<{ id: string; timeline: number }>(WRITE, [name])
    acknowledged.push({ ...rows[0]!, name, sentMs, atMs: performance.now() })
  }

  async function watch(name: MachineName): Promise<void> {
    let client: pg.Client | null = null
    while (!isStopped) {
      try {
        if (client === null) {
          client = postgres.connect(name)
          await client.connect()
        }
        // Time out by closing the connection. Cancelling would let a COMMIT through that waits for a standby.
        const timeout = sleep(WRITE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
          throw new Error('no response')
        })
        await Promise.race([writeOnce(client, name), timeout])
      } catch (error) {
        // A replica refuses the write, and the connection can be used again.
        if (sqlState(error) !== READ_ONLY) {
          disconnect(client)
          client = null
        }
      }
      await sleep(WRITE_INTERVAL_MS)
    }
    disconnect(client)
  }

  await prepare()
  const running = Promise.all(MACHINES.map(watch))
  return {
    async stop() {
      isStopped = true
      await running
      const client = postgres.connect(await postgres.untilComplete())
      await client.connect()
      const { rows } = await client.query<{ id: string }>('select id from written')
      await client.end()
      const stored = new Set(rows.map(({ id }) => id))
      return {
        acknowledged: acknowledged.length,
        terms: new Set(acknowledged.map(({ timeline }) => timeline)).size,
        lost: acknowledged.filter(({ id }) => !stored.has(id)),
        ...splitBrainWrites(acknowledged),
      }
    },
  }
}

/** Writes in another server's term, and writes after another server's term had begun. */
function splitBrainWrites(acknowledged: readonly AcknowledgedWrite[]) {
  // In the order of their acknowledgements, so the first write of a term shows that it had begun.
  const terms = new Map<number, AcknowledgedWrite>()
  for (const write of acknowledged) if (!terms.has(write.timeline)) terms.set(write.timeline, write)
  const laterTerms = (timeline: number) =>
    [...terms.values()].filter((write) => write.timeline > timeline)
  return {
    wrongServer: acknowledged.filter(({ timeline, name }) => terms.get(timeline)!.name !== name),
    afterTerm: acknowledged.filter(({ timeline, sentMs }) =>
      laterTerms(timeline).some(({ atMs }) => atMs < sentMs),
    ),
  }
}

function disconnect(client: pg.Client | null): void {
  const { connection } = (client ?? {}) as unknown as {
    connection?: { stream: { destroy(): void } }
  }
  connection?.stream.destroy()
}
