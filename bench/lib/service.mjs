import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../scripts/prepare.mjs'

const START_TIMEOUT_MS = 60_000

/** Starts the built service with the demo store in a temporary folder. By default, it is one process. */
export async function startService(settings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  const { port, origin, pid, stop } = await startProcess(folder, settings)
  const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
  return {
    folder,
    port,
    origin,
    pid,
    demo,
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts the service on a folder and waits until it is ready; `stop` keeps the folder. */
export async function startProcess(folder, settings = {}) {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    FLORIN_DATA: folder,
    PORT: String(port),
    FLORIN_LOG_LEVEL: 'warn',
    FLORIN_PROCESSES: '1',
    ...settings,
  }
  const child = spawn(process.execPath, ['dist/server.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const origin = `http://127.0.0.1:${port}`
  const deadline = Date.now() + START_TIMEOUT_MS
  const isReady = () =>
    fetch(`${origin}/ready`).then(
      (response) => response.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error('the service did not start')
    await sleep(20)
  }
  return {
    port,
    origin,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
