import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { PaymentId } from '../../src/core/ids.ts'
import { createHeldRequests } from '../../src/ops/heldRequests.ts'
import { connectionLimits, readFileLimit } from '../../src/platform/openFiles.ts'
import { freePort, isReady, until } from '../setup/started.ts'
import { createTestDatabase } from '../setup/testDatabase.ts'

const main = fileURLToPath(new URL('../../../dist/server.js', import.meta.url))

it('reads the limit of open files', () => {
  const printed = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  expect(readFileLimit()).toBe(printed === 'unlimited' ? Number.POSITIVE_INFINITY : Number(printed))
})

it.each([
  [1024, { isLow: true, maxConnections: 768, maxHeld: 576 }],
  [4096, { isLow: false, maxConnections: 3840, maxHeld: 2880 }],
  [1_048_576, { isLow: false, maxConnections: 1_048_320, maxHeld: 20_000 }],
  [Number.POSITIVE_INFINITY, { isLow: false, maxConnections: Infinity, maxHeld: 20_000 }],
])('reserves some of %d open files', (limit, limits) => {
  expect(connectionLimits(limit)).toEqual(limits)
})

it('limits the requests held open, and frees one slot per request, even if it is released twice', () => {
  const held = createHeldRequests(3)
  const take = (n: number) => held.take('stream', `10.0.0.${n}`, `pay_${n}` as PaymentId)
  const [first, , third] = [take(1), take(2), take(3)]
  expect(take(4)).toBeNull()
  first!()
  first!()
  expect(take(5)).not.toBeNull()
  expect(take(6)).toBeNull()
  third!()
  expect(take(7)).not.toBeNull()
})

it("event streams need no credentials, so they leave room for merchants' polls", () => {
  const held = createHeldRequests(400)
  const paymentId = 'pay_1' as PaymentId
  const streams = Array.from({ length: 101 }, (_, n) =>
    held.take('stream', `10.0.0.${n}`, paymentId),
  )
  expect(streams.filter((stream) => stream === null)).toHaveLength(1)
  expect(held.take('poll', '10.0.1.1', paymentId)).not.toBeNull()
  for (let n = 0; held.take('stream', `10.1.${n}.1`, `pay_${n}` as PaymentId) !== null; n++) {}
  expect(held.take('poll', '10.0.1.1', paymentId)).not.toBeNull()
})

it.each([
  ['address', (n: number) => ['10.0.0.1', `store ${n}`] as const],
  ['store', (n: number) => [`10.0.${n}.1`, 'store 1'] as const],
])('the polls of one %s leave half of the total to the others', (_name, clientOf) => {
  const held = createHeldRequests(400)
  const poll = (n: number) => {
    const [network, owner] = clientOf(n)
    return held.take('poll', network, `pay_${n}`, owner as `store ${number}`)
  }
  const polls = Array.from({ length: 400 }, (_, n) => poll(n)).filter((release) => release !== null)
  expect(polls).toHaveLength(200)
  expect(held.take('poll', '10.1.0.1', 'pay_1', 'store 999')).not.toBeNull()
  expect(held.take('stream', '10.1.0.2', 'pay_1')).not.toBeNull()
  polls[0]!()
  expect(poll(0)).not.toBeNull()
})

it('a service with a low limit of open files warns and limits its connections', async () => {
  const database = await createTestDatabase()
  const data = await mkdtemp(join(tmpdir(), 'florin-files-'))
  const port = await freePort()
  const env = {
    DATABASE_URL: database.url,
    FLORIN_DATA: data,
    PORT: String(port),
    FLORIN_DEMO: '0',
    FLORIN_DRAIN_SECONDS: '0',
    FLORIN_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    FLORIN_PEPPER: Buffer.alloc(32, 9).toString('base64'),
  }
  const child = spawn('sh', ['-c', 'ulimit -n 600 && exec "$0" "$1"', process.execPath, main], {
    env: { PATH: process.env.PATH, FLORIN_PROCESSES: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  try {
    await until(isReady(port))
    expect(output).toMatch(/"connections":344,"held":258,.*ulimit -n/)
    const sockets = Array.from({ length: 400 }, () => connect(port, '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => {})
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThan(50)
    for (const socket of sockets) socket.destroy()
    await until(isReady(port))
  } finally {
    child.kill('SIGTERM')
    await exited
    await rm(data, { recursive: true, force: true })
    await database.drop()
  }
})
