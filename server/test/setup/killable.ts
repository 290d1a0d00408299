import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startEmbedded } from '../../src/database/embedded.ts'

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
const START_MS = 30_000

export type Killable = Awaited<ReturnType<typeof prepareKillable>>

/** The real service, built as it is now, in a process of its own that a test may kill and start again. */
export async function prepareKillable() {
  const tsc = ['node_modules/typescript/bin/tsc', '-b']
  await promisify(execFile)(process.execPath, tsc, { cwd: PROJECT })
  const folder = await mkdtemp(join(tmpdir(), 'florin-kill-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const env = { PATH: process.env.PATH, FLORIN_DATA: folder, PORT: String(port) }
    const said: string[] = []
    child = spawn(process.execPath, ['server/dist/main.js'], { cwd: PROJECT, env })
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        said.push(String(chunk))
        said.splice(0, said.length - 50)
      })
    }
    const deadline = Date.now() + START_MS
    while (!(await isReady(origin))) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the service did not start:\n${said.join('')}`)
      }
      await sleep(20)
    }
  }

  /** Ends the child that this test started, and no other process. */
  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ending = child
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    await gone
  }

  return {
    origin,
    start,
    end,
    demo: async () => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')),
    /** Its database, to be looked at when the service has ended. */
    openDatabase: () => startEmbedded({ folder, log: () => {} }),
    async remove(): Promise<void> {
      await end('SIGKILL')
      await (await startEmbedded({ folder, log: () => {} })).stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isReady = (origin: string) =>
  fetch(`${origin}/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
