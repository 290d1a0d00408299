import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { claimArchive, hasClaimed } from './archive/owner.ts'
import {
  archiveSettings,
  type Recovery,
  recoverySettings,
  WAITING_SETTINGS,
} from './archive/settings.ts'
import {
  createCluster,
  findLauncher,
  findPostmaster,
  isCluster,
  type Launcher,
  otherOwner,
} from './cluster.ts'
import { createFolder } from './createFolder.ts'
import { readOrCreate } from './createOnce.ts'
import { refuseInterruptedRestore } from './interruptedRestore.ts'
import { hasSameArchiveSettings, releaseLease, takeLease, urlOf } from './lease.ts'
import {
  hasEnded,
  POLL_MS,
  type ServerConfig,
  spawnPostmaster,
  waitForLosingStart,
} from './postmaster.ts'
import { EmbeddedSetupError } from './setupError.ts'

export type EmbeddedDatabase = {
  url: string
  /** False if a server was already running: one that a crash left behind, or another process's. */
  wasStarted: boolean
  /** Resolves when the server came back on another port. `url` is then invalid. */
  moved: Promise<void>
  /** Stops the server, unless another process uses it. */
  stop: () => Promise<void>
}

type Connected = { port: number; lease: pg.Client; wasStarted: boolean }

const START_TIMEOUT_MS = 60_000
const RECOVERY_TIMEOUT_MS = 24 * 3_600_000
const REPORT_WAIT_AFTER_MS = 2_000
const MAX_FAILED_STARTS = 6
const RETRY_PAUSE_MS = 500
const RESTART_PAUSE_MS = 2_000

/**
 * Starts a PostgreSQL server with its data in `folder`, or connects to the one that runs there. Restarts the server
 * whenever it ends, until `stop` is called. `archive` is a folder for its write-ahead log. A service decides whether the log is
 * archived: it waits for the end of a command that runs the server with other settings. With `recovery`, the folder contains a
 * base backup, which is first recovered to a point in time.
 */
export async function startEmbedded({
  folder: given,
  log,
  archive = null,
  isService = false,
  recovery = null,
}: {
  folder: string
  log: (line: string) => void
  archive?: string | null
  isService?: boolean
  recovery?: Recovery | null
}): Promise<EmbeddedDatabase> {
  await createFolder(given)
  const folder = await realpath(given)
  await refuseInterruptedRestore(folder)
  const archiveId = archive && (await claimArchive(archive, folder))
  const passwordFile = join(folder, 'postgres.password')
  const config: ServerConfig = {
    folder,
    cluster: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    passwordFile,
    password: await readOrCreate(passwordFile, {
      text: randomBytes(24).toString('base64url'),
      user: await otherOwner(folder),
    }),
    settings: {
      ...(!isService && (await hasClaimed(folder)) && WAITING_SETTINGS),
      ...(archive && archiveId && archiveSettings(archive, archiveId)),
      ...(recovery && recoverySettings(recovery)),
    },
    mustHaveSameArchiveSettings: isService,
    // Replaying a long log takes time. Retrying doesn't help if a part of the log is missing.
    startTimeoutMs: recovery ? RECOVERY_TIMEOUT_MS : START_TIMEOUT_MS,
    maxFailedStarts: recovery ? 1 : MAX_FAILED_STARTS,
  }
  if (recovery !== null) await requestRecovery(config)
  const connected = await connectOrStart(config, log)
  await createDatabase(connected.lease)
  const { moved, stop } = superviseServer(config, connected, log)
  return {
    url: urlOf(config, connected.port, 'florin'),
    wasStarted: connected.wasStarted,
    moved,
    stop,
  }
}

/** Restarts a server that was killed or that ended because the disk was full. Retries without a limit. */
function superviseServer(config: ServerConfig, first: Connected, log: (line: string) => void) {
  let { lease } = first
  let restarting: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  let reportMoved = () => {}
  const moved = new Promise<void>((resolve) => {
    reportMoved = resolve
  })

  async function restart(): Promise<void> {
    log('The embedded PostgreSQL has ended. Restarting it.')
    for (let failures = 0; stopping === undefined; failures++) {
      try {
        const { port, lease: next } = await connectOrStart(config, log)
        log('The embedded PostgreSQL is running again.')
        if (port !== first.port) reportMoved()
        return watch(next)
      } catch (error) {
        if (failures === 0) log(`${(error as Error).message}\nRetrying until PostgreSQL starts.`)
        await sleep(RESTART_PAUSE_MS)
      }
    }
  }
  function watch(held: pg.Client): void {
    lease = held
    held.once('end', () => {
      if (stopping === undefined) restarting = restart()
    })
  }
  async function stop(): Promise<void> {
    await restarting
    await releaseLease(config, lease, log)
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

/** PostgreSQL removes the file when the recovery is done. */
async function requestRecovery({ folder, cluster }: ServerConfig): Promise<void> {
  const file = join(cluster, 'recovery.signal')
  await writeFile(file, '', { mode: 0o600 })
  const owner = await otherOwner(folder)
  if (owner) await chown(file, owner.uid, owner.gid)
}

async function connectOrStart(
  config: ServerConfig,
  log: (line: string) => void,
): Promise<Connected> {
  const connected = await findOrStart(config, log)
  // The checkpointer may have gone to sleep before archiving was possible. A checkpoint wakes it. Otherwise it
  // would sleep for up to five minutes.
  if (connected.wasStarted && config.settings.archive_command) {
    await connected.lease.query('checkpoint')
  }
  return connected
}

/**
 * Retries until a server responds. It may belong to another process, may be starting, recovering or
 * stopping, and may end at any point.
 */
async function findOrStart(config: ServerConfig, log: (line: string) => void): Promise<Connected> {
  const startedAtMs = performance.now()
  let launcher: Launcher | undefined
  let child: ChildProcess | undefined
  let failedStarts = 0
  let hasReported = false
  let lastProblem = ''
  let hasOtherArchiveSettings = false
  while (performance.now() - startedAtMs < config.startTimeoutMs) {
    const postmaster = await findPostmaster(config.cluster)
    if (postmaster?.isReady) {
      const { port, pid } = postmaster
      const lease = await takeLease(config, port).catch((error: Error & { code?: string }) => {
        if (error.code?.startsWith('28')) throw new Error(wrongPasswordMessage(config))
        lastProblem = error.message
        return undefined
      })
      if (lease && (await waitForLosingStart(child, { config, pid }))) {
        // Null if the server ended meanwhile.
        const isUsable =
          !config.mustHaveSameArchiveSettings ||
          (await hasSameArchiveSettings(config, lease).catch(() => null))
        if (isUsable) return { port, lease, wasStarted: pid === child?.pid }
        hasOtherArchiveSettings = isUsable === false
        // Stops the server, unless another process uses it.
        await releaseLease(config, lease, () => {})
        await sleep(RETRY_PAUSE_MS)
      } else {
        await lease?.end().catch(() => {})
      }
    }
    if (!postmaster && (!child || hasEnded(child))) {
      if (child && ++failedStarts === config.maxFailedStarts)
        throw new Error(await failedStartMessage(config))
      // The cause may be temporary: a port that was taken in between, or processes of a killed server
      // that have not all ended yet.
      if (failedStarts > 0) await sleep(RETRY_PAUSE_MS)
      launcher ??= await findLauncher(config.folder)
      if (!(await isCluster(config.cluster))) {
        await refuseInterruptedRestore(config.folder)
        await createCluster(launcher, config)
      }
      child = await spawnPostmaster(config, launcher)
    }
    if (!hasReported && performance.now() - startedAtMs > REPORT_WAIT_AFTER_MS) {
      hasReported = true
      log(
        hasOtherArchiveSettings
          ? 'Waiting for the end of a Florin command that runs PostgreSQL with another FLORIN_ARCHIVE…'
          : 'Waiting for the embedded PostgreSQL…',
      )
    }
    await sleep(POLL_MS)
  }
  if (hasOtherArchiveSettings) throw new EmbeddedSetupError(otherArchiveMessage(config))
  throw new Error(
    `The embedded PostgreSQL is not ready after ${config.startTimeoutMs / 1000} s${lastProblem && ` (${lastProblem})`}. The start continues in the background: see ${config.logFile}, then start Florin again.`,
  )
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_database where datname = 'florin'`)
  if (rowCount) return
  await client.query('create database florin').catch((error: Error & { code?: string }) => {
    // Another process created it meanwhile. The code is 42P04 if that was committed before PostgreSQL checked the name, else 23505.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

function wrongPasswordMessage(config: ServerConfig): string {
  return `The PostgreSQL in ${config.cluster} does not accept the password in ${config.passwordFile}. Restore the password file that belongs to it.`
}

function otherArchiveMessage({ folder }: ServerConfig): string {
  return `Another Florin process runs the PostgreSQL in ${folder} with another FLORIN_ARCHIVE or without one. Stop it or wait for its end, then start Florin again. Set FLORIN_ARCHIVE to the same folder for everything that uses this data.`
}

async function failedStartMessage(config: ServerConfig): Promise<string> {
  const lines = (await readFile(config.logFile, 'utf8').catch(() => '')).trim().split('\n')
  return `The embedded PostgreSQL does not start. The end of ${config.logFile}:\n${lines.slice(-8).join('\n')}`
}
