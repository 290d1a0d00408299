import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../src/demo.ts'
import { freePort, isReady, type Started, start, until } from '../setup/started.ts'
import { createTestDatabase, type TestDatabase } from '../setup/testDatabase.ts'

let database: TestDatabase
let folder: string
let env: Record<string, string>
let port: number
let florin: Started
let demo: Demo
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'florin-processes-'))
  port = await freePort()
  env = {
    DATABASE_URL: database.url,
    FLORIN_DATA: folder,
    PORT: String(port),
    FLORIN_PROCESSES: '2',
    FLORIN_DEMO: '1',
    FLORIN_LOG_LEVEL: 'warn',
    FLORIN_DRAIN_SECONDS: '5',
  }
  florin = start(env)
  await until(isReady(port))
  demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
})
afterAll(async () => {
  florin.child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

const listProcessIds = () =>
  execFileSync('pgrep', ['-P', String(florin.child.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)

/** Sends each request on a new connection, so that another process may serve the next one. */
const call = (path: string, headers: Record<string, string>, body?: object) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, connection: 'close', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const keys = () => ({
  'api-key': demo.sandbox.api_key,
  'api-secret': demo.sandbox.api_secret,
})

/** The number of created payments in the metrics. */
async function countCreated(): Promise<number> {
  const metrics = await call('/metrics', { authorization: `Bearer ${demo.operator.token}` })
  const created = /^florin_payments_total\{outcome="created",mode="sandbox"\} (\d+)$/m
  return Number(created.exec(await metrics.text())?.[1])
}

it('serves from all processes, and adds up their metrics', async () => {
  expect(listProcessIds()).toHaveLength(2)
  const ids: string[] = []
  for (let n = 0; n < 8; n++) {
    const response = await call('/merchant/payment/create', keys(), { amount: 5, currency: 'USD' })
    ids.push(((await response.json()) as { data: { payment_id: string } }).data.payment_id)
  }
  for (const id of ids) {
    expect((await call(`/merchant/payment/${id}`, keys())).status).toBe(200)
  }
  expect(await countCreated()).toBe(8)
})

it('notifies open pages of all processes about a commit', async () => {
  const response = await call('/merchant/payment/create', keys(), { amount: 5, currency: 'USD' })
  const { payment_id } = ((await response.json()) as { data: { payment_id: string } }).data
  // Connections are distributed round-robin, so each process has some of them.
  const pages = await Promise.all(
    Array.from({ length: 4 }, () => call(`/pay/${payment_id}/events`, {})),
  )
  const notified = pages.map(async ({ body }) => {
    let text = ''
    for await (const chunk of body!) {
      text += Buffer.from(chunk).toString()
      if (text.includes('data: completed')) return performance.now()
    }
    return Number.POSITIVE_INFINITY
  })
  const paid = await call(`/sandbox/payment/${payment_id}/pay`, keys(), {})
  expect(paid.status).toBe(200)
  const committedMs = performance.now()
  // Without a notification, a page reads the status every 15 seconds.
  for (const notifiedMs of await Promise.all(notified))
    expect(notifiedMs - committedMs).toBeLessThan(10_000)
})

it('counts wrong credentials of all processes together', async () => {
  const wrong = { 'api-key': demo.sandbox.api_key, 'api-secret': 'wrong' }
  const statuses: number[] = []
  while (!statuses.slice(-2).every((status) => status === 429) || statuses.length < 2) {
    statuses.push((await call('/merchant/balance', wrong)).status)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  // Each process would allow 60 on its own. They exchange their counts every 100 ms, which is at most 20 requests.
  expect(statuses.filter((status) => status === 401).length).toBeLessThan(100)
})

it('replaces a process that died, and keeps what it has counted', async () => {
  const before = await countCreated()
  expect(before).toBeGreaterThan(0)
  const [victim] = listProcessIds()
  process.kill(victim!, 'SIGKILL')
  await until(async () => listProcessIds().length === 2 && !listProcessIds().includes(victim!))
  await until(isReady(port))
  expect(await countCreated()).toBe(before)
  expect(florin.output()).toContain(`Process ${victim} has ended (SIGKILL)`)
})

it('reports once that the port is taken, and exits', async () => {
  const busy = start(env)
  expect(await busy.exited).toBe(1)
  expect(busy.output().match(/Port \d+ is in use/g)).toHaveLength(1)
})

it('drains after SIGTERM while /ready fails, and then stops all processes', async () => {
  const pids = listProcessIds()
  const response = await call('/merchant/payment/create', keys(), { amount: 5, currency: 'USD' })
  const { payment_id } = ((await response.json()) as { data: { payment_id: string } }).data
  const waiting = call(`/merchant/payment/${payment_id}/status?wait=60`, keys())
  let hasResponded = false
  void waiting.then(() => {
    hasResponded = true
  })
  const readyStatus = async () => (await call('/ready', {})).status
  florin.child.kill('SIGTERM')
  // Connections are distributed round-robin, so each process gets one of the two requests.
  await expect.poll(async () => [await readyStatus(), await readyStatus()]).toEqual([503, 503])
  const lateResponse = await call('/merchant/payment/create', keys(), {
    amount: 5,
    currency: 'USD',
  })
  expect([lateResponse.status, lateResponse.headers.get('connection')]).toEqual([200, 'close'])
  expect(hasResponded).toBe(false)
  expect((await waiting).status).toBe(200)
  expect(await florin.exited).toBe(0)
  expect(florin.output()).toContain('Florin has stopped.')
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('ends the workers when the primary is killed', async () => {
  florin = start(env)
  await until(isReady(port))
  const pids = listProcessIds()
  florin.child.kill('SIGKILL')
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await until(async () => !pids.some(isAlive))
})
