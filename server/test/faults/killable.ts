import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Demo } from '../../src/demo.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { freePort } from '../setup/started.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const START_TIMEOUT_MS = 60_000
const MAX_OUTPUT_CHUNKS = 200

export type KillableService = Awaited<ReturnType<typeof prepareKillableService>>

type KillableOptions = {
  /** The data folder. A new one by default. */
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the command in its arguments, such as `unshare`. */
  readonly launcher?: readonly string[]
  /** Options for Node.js. */
  readonly nodeArgs?: readonly string[]
}

/** The built service, in a process that a test can kill and start again. */
export async function prepareKillableService(options: KillableOptions = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'florin-fault-')))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const chunks: string[] = []
  let child: ChildProcess | undefined
  let current = options

  async function start(changes: Pick<KillableOptions, 'env'> = {}): Promise<void> {
    current = { ...current, ...changes }
    const env = {
      PATH: process.env.PATH,
      FLORIN_DATA: folder,
      PORT: String(port),
      FLORIN_PROCESSES: '1',
      ...current.env,
    }
    const node = [process.execPath, ...(current.nodeArgs ?? []), 'dist/server.js']
    const [command, ...args] = [...(current.launcher ?? []), ...node]
    const started = spawn(command!, args, { cwd: PROJECT, env })
    child = started
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        chunks.push(String(chunk))
        chunks.splice(0, chunks.length - MAX_OUTPUT_CHUNKS)
      })
    }
    const deadlineMs = Date.now() + START_TIMEOUT_MS
    while (!(await isReady(origin))) {
      if (hasEnded(started) || Date.now() > deadlineMs) {
        throw new Error(`The service did not start:\n${chunks.join('')}`)
      }
      await sleep(20)
    }
  }

  /** Sends the signal to the service, and waits until its process has ended. */
  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = child
    if (ending === undefined || hasEnded(ending)) return
    const exited = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    await exited
  }

  return {
    origin,
    folder,
    start,
    end,
    signal: (name: NodeJS.Signals) => void child!.kill(name),
    isRunning: () => child !== undefined && !hasEnded(child),
    demo: async (): Promise<Demo> =>
      JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as Demo,
    /** Opens the service's database, while the service runs or afterwards. */
    openDatabase: () => startEmbedded({ folder, log: () => {} }),
    async remove(): Promise<void> {
      await end('SIGKILL')
      // The embedded server keeps running when the service is killed. Adopt it to stop it.
      await (await startEmbedded({ folder, log: () => {} })).stop()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

const isReady = (origin: string) =>
  fetch(`${origin}/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )
