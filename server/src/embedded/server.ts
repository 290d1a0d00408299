import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { claimArchive } from './archive/owner.ts'
import { archiveSettings, type Recovery, recoverySettings } from './archive/settings.ts'
import {
  createCluster,
  disarmStaleFile,
  findLauncher,
  findPostmaster,
  isCluster,
  isServing,
  type Launcher,
  otherOwner,
} from './cluster.ts'
import { readOrCreate } from './createOnce.ts'

export type EmbeddedDatabase = {
  url: string
  /** False when a server was found running: one that a crash left behind, or another process's. */
  started: boolean
  /** Resolves when the server came back under another port, so that `url` leads nowhere any more. */
  moved: Promise<void>
  /** Ends the server, unless somebody else uses it: then the last one to stop ends it. */
  stop: () => Promise<void>
}

type Home = {
  folder: string
  cluster: string
  logFile: string
  passwordFile: string
  password: string
  /** Beside those of every server of ours. */
  settings: Record<string, string>
  startTimeoutMs: number
  maxFailedStarts: number
}

type Reached = { port: number; lease: pg.Client; started: boolean }

const pollMs = 20
const startTimeoutMs = 60_000
const recoveryTimeoutMs = 24 * 3_600_000
const sayAfterMs = 2_000
const maxFailedStarts = 6
const restartPauseMs = 500
const bringBackPauseMs = 2_000
const lastCheckTries = 6
const lastCheckPauseMs = 100
const fastStopMs = 30_000
const immediateStopMs = 10_000
const maxLogBytes = 10 * 1024 * 1024

// Every process that uses the server holds this lock shared in a session of its own, for as long as it
// does. Whoever gets it alone is the last and may stop the server; a process that starts meanwhile
// waits for the lock, loses its session to the shutdown, and starts the server anew.
const leaseName = 'florin lease'
const leaseLock = 7_036_402_510n

// Durability is left on: a payment that was acknowledged has to survive a power cut.
const settings = {
  listen_addresses: '127.0.0.1',
  // A socket's path may be too long for the kernel, and its folder would need looking after.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '5min',
  checkpoint_completion_target: '0.9',
  random_page_cost: '1.1',
  // Compiling takes longer than any of the short statements here.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Gives a running PostgreSQL that keeps its data in `folder`, whatever an earlier run left there, and its log in an
 * archive where one is named. It is brought back whenever it ends, until it is stopped here. With a recovery what
 * is in the folder is a copy, to be brought up to a moment first.
 */
export async function startEmbedded({
  folder: given,
  log,
  archive = null,
  recovery = null,
}: {
  folder: string
  log: (line: string) => void
  archive?: string | null
  recovery?: Recovery | null
}): Promise<EmbeddedDatabase> {
  await mkdir(given, { recursive: true, mode: 0o700 })
  const folder = await realpath(given)
  const archiveId = archive && (await claimArchive(archive, folder))
  const passwordFile = join(folder, 'postgres.password')
  const home: Home = {
    folder,
    cluster: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    passwordFile,
    password: await readOrCreate(passwordFile, {
      text: randomBytes(24).toString('base64url'),
      user: await otherOwner(folder),
    }),
    settings: {
      ...(archive && archiveId && archiveSettings(archive, archiveId)),
      ...(recovery && recoverySettings(recovery)),
    },
    // To follow a long log takes its time; and what is missing in it is missing at the next try.
    startTimeoutMs: recovery ? recoveryTimeoutMs : startTimeoutMs,
    maxFailedStarts: recovery ? 1 : maxFailedStarts,
  }
  if (recovery !== null) await askForRecovery(home)
  const reached = await reach(home, log)
  await createDatabase(reached.lease)
  const { moved, stop } = keepServer(home, reached, log)
  return { url: urlOf(home, reached.port, 'florin'), started: reached.started, moved, stop }
}

/** A server that was killed, or that gave up because its disk was full, is tried again for ever. */
function keepServer(home: Home, first: Reached, log: (line: string) => void) {
  let { lease } = first
  let bringing: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  let tellMoved = () => {}
  const moved = new Promise<void>((resolve) => {
    tellMoved = resolve
  })

  async function bringBack(): Promise<void> {
    log('The embedded PostgreSQL has ended and is brought back.')
    for (let failures = 0; stopping === undefined; failures++) {
      try {
        const { port, lease: next } = await reach(home, log)
        log('The embedded PostgreSQL is back.')
        if (port !== first.port) tellMoved()
        return watch(next)
      } catch (error) {
        if (failures === 0) log(`${(error as Error).message}\nIt is tried again until it starts.`)
        await sleep(bringBackPauseMs)
      }
    }
  }
  function watch(held: pg.Client): void {
    lease = held
    held.once('end', () => {
      if (stopping === undefined) bringing = bringBack()
    })
  }
  async function stop(): Promise<void> {
    await bringing
    await stopServer(home, lease, log)
  }
  watch(lease)
  return {
    moved,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/** The server takes it away when it has done it. */
async function askForRecovery({ folder, cluster }: Home): Promise<void> {
  const file = join(cluster, 'recovery.signal')
  await writeFile(file, '', { mode: 0o600 })
  const owner = await otherOwner(folder)
  if (owner) await chown(file, owner.uid, owner.gid)
}

/**
 * Goes on until there is a server that answers: it may be another's, may be starting, recovering or
 * stopping, and may go away again at any point.
 */
async function reach(home: Home, log: (line: string) => void): Promise<Reached> {
  const reached = await findOrStart(home, log)
  // Its checkpointer, which sees to the archive, began to rest before it could, and would for five minutes.
  if (reached.started && 'archive_command' in home.settings) await reached.lease.query('checkpoint')
  return reached
}

async function findOrStart(home: Home, log: (line: string) => void): Promise<Reached> {
  const startedAtMs = performance.now()
  let launcher: Launcher | undefined
  let child: ChildProcess | undefined
  let failedStarts = 0
  let said = false
  let lastProblem = ''
  while (performance.now() - startedAtMs < home.startTimeoutMs) {
    const postmaster = await findPostmaster(home.cluster)
    if (postmaster?.ready) {
      const { port, pid } = postmaster
      const lease = await takeLease(home, port).catch((error: Error & { code?: string }) => {
        if (error.code?.startsWith('28')) throw new Error(lockedOut(home))
        lastProblem = error.message
        return undefined
      })
      if (lease && (await hasYielded(child, { home, pid }))) {
        return { port, lease, started: pid === child?.pid }
      }
      await lease?.end().catch(() => {})
    }
    if (!postmaster && (!child || hasEnded(child))) {
      if (child && ++failedStarts === home.maxFailedStarts)
        throw new Error(await failedToStart(home))
      // What made it fail may pass: a port that was taken in between, or processes of a killed server
      // that have not all gone yet.
      if (failedStarts > 0) await sleep(restartPauseMs)
      launcher ??= await findLauncher(home.folder)
      if (!(await isCluster(home.cluster))) await createCluster(launcher, home)
      child = await spawnPostmaster(home, launcher)
    }
    if (!said && performance.now() - startedAtMs > sayAfterMs) {
      said = true
      log('Waiting for the embedded PostgreSQL to be ready; after a crash it repairs itself first.')
    }
    await sleep(pollMs)
  }
  throw new Error(
    `The embedded PostgreSQL is not ready after ${home.startTimeoutMs / 1000} s ${lastProblem && `(${lastProblem})`}. It goes on by itself: see ${home.logFile}, and start Florin again.`,
  )
}

async function spawnPostmaster(home: Home, launcher: Launcher): Promise<ChildProcess> {
  await disarmStaleFile(home.cluster)
  const { size } = await stat(home.logFile).catch(() => ({ size: 0 }))
  if (size > maxLogBytes) await rename(home.logFile, `${home.logFile}.1`).catch(() => {})
  const logHandle = await open(home.logFile, 'a', 0o600)
  try {
    const owner = await otherOwner(home.folder)
    if (owner) await logHandle.chown(owner.uid, owner.gid)
    const port = await lastPort(home)
    const args = Object.entries({ ...settings, ...home.settings, port }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ])
    const launch = launcher('postgres', ['-D', home.cluster, ...args])
    const child = spawn(launch.command, launch.args, {
      ...launch.options,
      // A session of its own: Ctrl-C in the terminal must not end the server before the service has
      // finished what is in flight.
      detached: true,
      stdio: ['ignore', logHandle.fd, logHandle.fd],
    })
    child.on('error', () => {})
    child.unref()
    return child
  } finally {
    await logHandle.close()
  }
}

/**
 * A server of ours that came second has to be seen to give up: on a busy machine it may be so late that
 * the first one is stopped again by then, and it would run with nobody to stop it.
 */
async function hasYielded(
  child: ChildProcess | undefined,
  { home, pid }: { home: Home; pid: number },
): Promise<boolean> {
  if (!child || child.pid === pid) return true
  while (!hasEnded(child)) {
    if (!(await isServing(pid, home.cluster))) return false
    await sleep(pollMs)
  }
  return true
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** Where it was before, so that whoever is connected finds it again; elsewhere if that is taken now. */
async function lastPort(home: Home): Promise<number> {
  const options = await readFile(join(home.cluster, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = Number(/"port=(\d+)"/.exec(options)?.[1] ?? 0)
  return freePort(port).catch(() => freePort(0))
}

async function freePort(wanted: number): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('No port is free on 127.0.0.1.')
  return address.port
}

async function connect(home: Home, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlOf(home, port, 'postgres'),
    application_name: leaseName,
    connectionTimeoutMillis: 5_000,
  })
  // The server may end this session at any time; without a listener that would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function takeLease(home: Home, port: number): Promise<pg.Client> {
  const client = await connect(home, port)
  try {
    await client.query(
      `set lock_timeout = '5s';
       select pg_advisory_lock_shared(${leaseLock})`,
    )
    // The lock may have come free because the server is being stopped.
    const now = await findPostmaster(home.cluster)
    if (!now?.ready || now.port !== port) throw new Error('the server is stopping')
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return client
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_database where datname = 'florin'`)
  if (rowCount) return
  await client.query('create database florin').catch((error: Error & { code?: string }) => {
    // Another process that started at the same moment made it: 42P04 before its commit, 23505 during.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

async function stopServer(home: Home, lease: pg.Client, log: (line: string) => void) {
  await lease.end().catch(() => {})
  const postmaster = await findPostmaster(home.cluster)
  if (!postmaster) return
  const client = await connect(home, postmaster.port).catch(() => undefined)
  try {
    const last = client && (await isLast(client).catch(() => false))
    if (!last) return log('The embedded PostgreSQL is left running: another program uses it.')
    // This session, and the lock with it, lasts until the server itself ends it: whoever waits for the
    // lock then sees that the server is stopping.
    await endServer(home, postmaster.pid)
  } finally {
    await client?.end().catch(() => {})
  }
}

async function endServer(home: Home, pid: number): Promise<void> {
  await signal(home, pid, 'SIGINT')
  if (await hasGone(home, pid, fastStopMs)) return
  await signal(home, pid, 'SIGQUIT')
  if (await hasGone(home, pid, immediateStopMs)) return
  throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`)
}

async function isLast(client: pg.Client): Promise<boolean> {
  for (let tries = 0; tries < lastCheckTries; tries++) {
    // Sessions that were just closed are listed for a moment still.
    if (tries > 0) await sleep(lastCheckPauseMs)
    const { rows } = await client.query<{ alone: boolean; others: number }>(
      `select pg_try_advisory_lock($1) as alone,
              (select count(*)::int
               from pg_stat_activity
               where backend_type = 'client backend'
                 and pid <> pg_backend_pid()
                 and application_name <> $2) as others`,
      [leaseLock, leaseName],
    )
    const alone = rows[0]?.alone === true
    if (alone && rows[0]?.others === 0) return true
    // A command beside a running service should not make its user wait for an answer that is plain.
    if (!alone && tries > 0) return false
  }
  return false
}

async function signal(home: Home, pid: number, name: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (await isServing(pid, home.cluster)) process.kill(pid, name)
}

async function hasGone(home: Home, pid: number, timeoutMs: number): Promise<boolean> {
  const giveUpAtMs = performance.now() + timeoutMs
  while (await isServing(pid, home.cluster)) {
    if (performance.now() > giveUpAtMs) return false
    await sleep(pollMs)
  }
  return true
}

function urlOf(home: Home, port: number, database: string): string {
  return `postgres://florin:${home.password}@127.0.0.1:${port}/${database}?sslmode=disable`
}

function lockedOut(home: Home): string {
  return `The PostgreSQL in ${home.cluster} does not accept the password in ${home.passwordFile}. The two belong together: restore the file that was made with it.`
}

async function failedToStart(home: Home): Promise<string> {
  const lines = (await readFile(home.logFile, 'utf8').catch(() => '')).trim().split('\n')
  return `The embedded PostgreSQL does not start. The end of ${home.logFile}:\n${lines.slice(-8).join('\n')}`
}
