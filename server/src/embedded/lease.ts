import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostmaster } from './cluster.ts'
import { type ServerConfig, stopServer } from './postmaster.ts'

// Every process that uses the server holds this lock in shared mode, in a session of its own. A process
// that gets the lock exclusively is the last one and may stop the server. A process that starts at that
// moment waits for the lock, loses its session to the shutdown and starts the server again.
const LEASE_NAME = 'florin lease'
const LEASE_LOCK = 7_036_402_510n

const MAX_CHECKS = 6
const CHECK_INTERVAL_MS = 100

export function urlOf(config: ServerConfig, port: number, database: string): string {
  return `postgres://florin:${config.password}@127.0.0.1:${port}/${database}?sslmode=disable`
}

export async function takeLease(config: ServerConfig, port: number): Promise<pg.Client> {
  const client = await connect(config, port)
  try {
    await client.query(
      `set lock_timeout = '5s';
       select pg_advisory_lock_shared(${LEASE_LOCK})`,
    )
    // The lock may be free because the server is stopping.
    const postmaster = await findPostmaster(config.cluster)
    if (!postmaster?.isReady || postmaster.port !== port) throw new Error('the server is stopping')
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return client
}

/** Whether the server archives its write-ahead log as it would if this process had started it. */
export async function hasSameArchiveSettings(
  { settings }: ServerConfig,
  lease: pg.Client,
): Promise<boolean> {
  const { rows } = await lease.query<{ mode: string; command: string }>(
    `select current_setting('archive_mode') as mode, current_setting('archive_command') as command`,
  )
  const { mode, command } = rows[0]!
  const { archive_mode: wantedMode = 'off', archive_command: wantedCommand } = settings
  return mode === wantedMode && (mode === 'off' || command === wantedCommand)
}

/** Releases the lease and stops the server, unless another process uses it. */
export async function releaseLease(
  config: ServerConfig,
  lease: pg.Client,
  log: (line: string) => void,
) {
  await lease.end().catch(() => {})
  const postmaster = await findPostmaster(config.cluster)
  if (!postmaster) return
  const client = await connect(config, postmaster.port).catch(() => undefined)
  try {
    const isUnused = client && (await isLast(client).catch(() => undefined))
    if (isUnused === undefined) {
      return log('The embedded PostgreSQL was not stopped: another process may be using it.')
    }
    if (!isUnused) return log('The embedded PostgreSQL keeps running: another process is using it.')
    // Keep this session and its lock until the server ends it. A process that waits for the lock then
    // sees that the server is stopping.
    await stopServer(config, postmaster.pid)
  } finally {
    await client?.end().catch(() => {})
  }
}

async function connect(config: ServerConfig, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlOf(config, port, 'postgres'),
    application_name: LEASE_NAME,
    connectionTimeoutMillis: 5_000,
  })
  // The server may end this session at any time. Without a listener that would crash the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function isLast(client: pg.Client): Promise<boolean> {
  for (let check = 0; check < MAX_CHECKS; check++) {
    // PostgreSQL lists a closed session for a moment.
    if (check > 0) await sleep(CHECK_INTERVAL_MS)
    const { rows } = await client.query<{ isAlone: boolean; others: number }>(
      `select pg_try_advisory_lock($1) as "isAlone",
              (select count(*)::int
               from pg_stat_activity
               where backend_type = 'client backend'
                 and pid <> pg_backend_pid()
                 and application_name <> $2) as others`,
      [LEASE_LOCK, LEASE_NAME],
    )
    const isAlone = rows[0]?.isAlone === true
    if (isAlone && rows[0]?.others === 0) return true
    // Another process holds a lease. Don't delay a command that runs while a service runs.
    if (!isAlone && check > 0) return false
  }
  return false
}
