import { fork } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Demo } from '../../src/demo.ts'
import { freePort, isReady, until } from '../setup/started.ts'
import { createTestDatabase } from '../setup/testDatabase.ts'
import { sendRequest } from './rawService.ts'

export type HostileRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Buffer
  /** Describes the hostile part in a failure message. */
  readonly about: string
}
type HostileResponse = {
  readonly status: number
  readonly text: string
  readonly cookie: string
}

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const MAIN = pathOf('../../../dist/server.js')
const REQUEST_TIMEOUT_MS = 30_000

/** The built service in its own process, with a probe of its event loop. */
export async function startProbedService() {
  const database = await createTestDatabase()
  const data = await mkdtemp(join(tmpdir(), 'florin-stall-'))
  const port = await freePort()
  const child = fork(MAIN, {
    execArgv: ['--import', pathOf('./stallProbe.mjs')],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      FLORIN_PROCESSES: '1',
      PORT: String(port),
      DATABASE_URL: database.url,
      FLORIN_DATA: data,
      FLORIN_DEMO: '1',
      FLORIN_DRAIN_SECONDS: '0',
      FLORIN_LOG_LEVEL: 'silent',
      FLORIN_RATE_LIMIT: '999999999',
      FLORIN_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      FLORIN_PEPPER: Buffer.alloc(32, 9).toString('base64'),
      // A separate address for each request, because failed sign-ins are counted per address.
      FLORIN_TRUST_PROXY: '1',
    },
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await until(isReady(port))
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  let sent = 0

  async function send({
    method,
    path,
    headers,
    body,
  }: Omit<HostileRequest, 'about'>): Promise<HostileResponse> {
    const address = `10.${++sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`
    const request = httpRequest({
      agent,
      port,
      host: '127.0.0.1',
      method,
      path,
      timeout: REQUEST_TIMEOUT_MS,
      headers: { 'x-forwarded-for': address, ...headers },
    })
    request.on('timeout', () => request.destroy(new Error('no response in time')))
    const response = await sendRequest(request, body)
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
    return { status: response.status, text: response.text, cookie }
  }

  return {
    base: `http://localhost:${port}`,
    demo: JSON.parse(await readFile(join(data, 'demo.json'), 'utf8')) as Demo,
    send,
    /** The longest time for which the event loop was blocked since the last call. */
    takeDelayMs(): Promise<number> {
      return new Promise((resolve) => {
        child.once('message', (ms) => resolve(ms as number))
        child.send('take')
      })
    },
    async stop(): Promise<void> {
      agent.destroy()
      child.kill('SIGTERM')
      await exited
      await rm(data, { recursive: true, force: true })
      await database.drop()
    },
  }
}
export type ProbedService = Awaited<ReturnType<typeof startProbedService>>
