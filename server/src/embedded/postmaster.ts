import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanStalePidFile, isServing, type Launcher, otherOwner } from './cluster.ts'

/** The data folder of an embedded PostgreSQL and how to run it. */
export type ServerConfig = {
  folder: string
  cluster: string
  logFile: string
  passwordFile: string
  password: string
  /** In addition to `SETTINGS`. */
  settings: Record<string, string>
  /** Whether a running server must have the same archive settings. */
  mustHaveSameArchiveSettings: boolean
  startTimeoutMs: number
  maxFailedStarts: number
}

export const POLL_MS = 20
const MAX_LOG_BYTES = 10 * 1024 * 1024
const FAST_STOP_TIMEOUT_MS = 30_000
const IMMEDIATE_STOP_TIMEOUT_MS = 10_000

// Durability stays on: an acknowledged payment must survive a power failure.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket's path may be too long for the kernel, and its folder would need maintenance.
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
  // Compiling takes longer than the short statements here.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

export async function spawnPostmaster(
  config: ServerConfig,
  launcher: Launcher,
): Promise<ChildProcess> {
  await cleanStalePidFile(config.cluster)
  const { size } = await stat(config.logFile).catch(() => ({ size: 0 }))
  if (size > MAX_LOG_BYTES) await rename(config.logFile, `${config.logFile}.1`).catch(() => {})
  const logHandle = await open(config.logFile, 'a', 0o600)
  try {
    const owner = await otherOwner(config.folder)
    if (owner) await logHandle.chown(owner.uid, owner.gid)
    const port = await choosePort(config)
    const args = Object.entries({ ...SETTINGS, ...config.settings, port }).flatMap(
      ([key, value]) => ['-c', `${key}=${value}`],
    )
    const launch = launcher('postgres', ['-D', config.cluster, ...args])
    const child = spawn(launch.command, launch.args, {
      ...launch.options,
      // A session of its own, so that Ctrl-C doesn't end the server before the service has finished
      // its requests.
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

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/**
 * Waits until our server, which lost the race against another start, has exited. Returns false if the other server
 * stops first, as can happen on a busy machine. Then ours may start after all, and the caller must connect to it: otherwise
 * no process would stop it.
 */
export async function waitForLosingStart(
  child: ChildProcess | undefined,
  { config, pid }: { config: ServerConfig; pid: number },
): Promise<boolean> {
  if (!child || child.pid === pid) return true
  while (!hasEnded(child)) {
    if (!(await isServing(pid, config.cluster))) return false
    await sleep(POLL_MS)
  }
  return true
}

/** Reuses the previous port if it is free, so that connected processes find the server again. */
async function choosePort(config: ServerConfig): Promise<number> {
  const options = await readFile(join(config.cluster, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = Number(/"port=(\d+)"/.exec(options)?.[1] ?? 0)
  return freePort(port).catch(() => freePort(0))
}

async function freePort(preferredPort: number): Promise<number> {
  const server = createServer()
  server.listen(preferredPort, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('No port is free on 127.0.0.1.')
  return address.port
}

/** Stops the server: a fast shutdown, then an immediate one. */
export async function stopServer(config: ServerConfig, pid: number): Promise<void> {
  await signal(config, pid, 'SIGINT')
  if (await hasExited(config, pid, FAST_STOP_TIMEOUT_MS)) return
  await signal(config, pid, 'SIGQUIT')
  if (await hasExited(config, pid, IMMEDIATE_STOP_TIMEOUT_MS)) return
  throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`)
}

async function signal(
  config: ServerConfig,
  pid: number,
  name: 'SIGINT' | 'SIGQUIT',
): Promise<void> {
  if (await isServing(pid, config.cluster)) process.kill(pid, name)
}

async function hasExited(config: ServerConfig, pid: number, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs
  while (await isServing(pid, config.cluster)) {
    if (performance.now() > deadlineMs) return false
    await sleep(POLL_MS)
  }
  return true
}
