import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from '../setup/started.ts'

const START_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 10_000

export type ShopServer = {
  readonly origin: string
  /** Everything that the server printed. */
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts the server of a shop, and waits until the path responds. */
export async function startShopServer(options: {
  readonly folder: string
  readonly args: readonly string[]
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  readonly readyPath: string
}): Promise<ShopServer> {
  const { folder, args, port, env, readyPath } = options
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk)
    })
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const origin = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (hasEnded()) throw new Error(`The shop has ended:\n${output}`)
    return fetch(origin + readyPath).then(
      () => true,
      () => false,
    )
  }
  const deadlineMs = Date.now() + START_TIMEOUT_MS
  await until(
    async () => Date.now() > deadlineMs || hasEnded() || (await isReady()),
    START_TIMEOUT_MS,
  )
  if (!(await isReady())) throw new Error(`The shop did not start:\n${output}`)
  return { origin, output: () => output, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}
