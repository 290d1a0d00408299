import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../src/demo.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { freePort, isReady, start, until } from '../setup/started.ts'
import { createEmptyDatabase } from '../setup/testDatabase.ts'

describe('npm start with the embedded database', () => {
  let folder: string
  let port: number
  let env: Record<string, string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'florin-start-'))
    port = await freePort()
    env = { FLORIN_DATA: folder, PORT: String(port) }
  })
  afterAll(async () => {
    await (await startEmbedded({ folder, log: () => {} })).stop()
    await rm(folder, { recursive: true, force: true })
  })

  const readDemo = async (): Promise<Demo> =>
    JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
  async function signIn(payload: Demo['merchant'], area = 'store') {
    const response = await fetch(`http://127.0.0.1:${port}/${area}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
    return ((await response.json()) as { data?: object }).data
  }
  async function create(demo: Demo, mode: 'live' | 'sandbox') {
    const { api_key, api_secret } = demo[mode]
    const response = await fetch(`http://127.0.0.1:${port}/merchant/payment/create`, {
      method: 'POST',
      headers: { 'api-key': api_key, 'api-secret': api_secret, 'content-type': 'application/json' },
      body: '{"amount": 12.5, "currency": "USD"}',
    })
    return {
      status: response.status,
      body: (await response.json()) as { data: { payment_id: string } },
    }
  }

  it('serves, keeps its data after a restart, stops on a signal and survives SIGKILL', async () => {
    const first = start(env)
    await until(isReady(port))
    const demo = await readDemo()
    for (const name of ['demo.json', 'secret.key', 'pepper.key']) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    }
    expect(demo.base_url).toBe(`http://localhost:${port}`)
    expect(demo.store).toEqual({ id: 1, name: 'Demo Store', currency: 'USD' })
    expect(demo.wallets.map((wallet) => wallet.mode)).toEqual([
      'live',
      'live',
      'sandbox',
      'sandbox',
    ])
    expect(first.output()).toContain(`curl -s http://localhost:${port}/merchant/payment/create`)
    expect(first.output()).toContain(demo.sandbox.api_key)
    const created = await create(demo, 'live')
    expect(created.status).toBe(200)
    expect(await signIn(demo.merchant)).toMatchObject({
      person: { role: 'owner' },
      store: { id: 1 },
    })
    const { email, password } = demo.operator
    expect(await signIn({ email, password }, 'operator')).toMatchObject({ operator: { email } })
    expect(await signIn(demo.cashier)).toMatchObject({
      person: { role: 'cashier' },
      may: ['read', 'create', 'refund'],
      refund_cap: '20.00',
    })

    first.child.kill('SIGINT')
    expect(await first.exited).toBe(0)
    expect(first.output()).toContain('Florin has stopped.')
    await expect(stat(join(folder, 'postgres', 'postmaster.pid'))).rejects.toThrow()

    // The file of an earlier version, without people.
    const { merchant, cashier, ...older } = demo
    await writeFile(join(folder, 'demo.json'), JSON.stringify(older))
    const second = start(env)
    await until(isReady(port))
    const renewed = await readDemo()
    expect(renewed).toMatchObject({
      ...older,
      merchant: { email: merchant.email },
      cashier: { email: cashier.email },
    })
    expect(await signIn(renewed.merchant)).toMatchObject({ person: { role: 'owner' } })
    expect(await signIn(merchant)).toBeUndefined()
    const { api_key, api_secret } = demo.live
    const id = created.body.data.payment_id
    const details = await fetch(`http://127.0.0.1:${port}/merchant/payment/${id}`, {
      headers: { 'api-key': api_key, 'api-secret': api_secret },
    })
    expect(details.status).toBe(200)
    // The bundler must not remove the check of the URL.
    const undecodable = await fetch(`http://127.0.0.1:${port}/merchant/payment/%ff`, {
      headers: { 'api-key': api_key, 'api-secret': api_secret },
    })
    expect(await undecodable.json()).toEqual({ status: 404, message: 'Payment request not found' })

    const busy = start(env)
    expect(await busy.exited).toBe(1)
    expect(busy.output()).toContain(`Port ${port} is in use.`)
    expect(busy.output()).not.toMatch(/^\s+at /m)
    expect((await create(demo, 'sandbox')).status).toBe(200)

    second.child.kill('SIGKILL')
    await second.exited
    // A full disk for the output does not stop the service.
    const fullDisk = await open('/dev/full', 'w')
    const third = start({ ...env, FLORIN_LOG_LEVEL: 'debug' }, fullDisk)
    await fullDisk.close()
    await until(isReady(port))
    expect(await readDemo()).toEqual(renewed)
    expect((await create(demo, 'live')).status).toBe(200)
    third.child.kill('SIGTERM')
    expect(await third.exited).toBe(0)
    await expect(stat(join(folder, 'postgres', 'postmaster.pid'))).rejects.toThrow()
  })
})

describe('npm start with invalid settings', () => {
  it.each([
    [
      'an unreachable DATABASE_URL',
      { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' },
      'Cannot connect to DATABASE_URL',
    ],
    [
      'a DATABASE_URL of another database',
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL must begin with postgres://',
    ],
    [
      'a demo at a public address',
      { FLORIN_PUBLIC_URL: 'https://pay.example.com', FLORIN_DEMO: '1' },
      'Unset FLORIN_DEMO, or set FLORIN_UNSAFE=1 to allow it',
    ],
    [
      'private webhooks at a public address',
      { FLORIN_PUBLIC_URL: 'http://192.168.0.5:8080', FLORIN_WEBHOOK_PRIVATE: 'allow' },
      'Unset FLORIN_WEBHOOK_PRIVATE, or set FLORIN_UNSAFE=1 to allow it',
    ],
    [
      'a folder that the system refuses',
      { FLORIN_DATA: '/proc/florin/data' },
      'Cannot use the folder /proc/florin:',
    ],
    ['two wrong settings', { PORT: 'x', FLORIN_DEMO: 'maybe' }, 'PORT must be a whole number'],
  ])('%s: explains the problem and ends', async (_name, env, message) => {
    const started = start({ FLORIN_DATA: join(tmpdir(), 'florin-never'), ...env } as Record<
      string,
      string
    >)
    expect(await started.exited).toBe(1)
    expect(started.output()).toContain(message)
    expect(started.output()).not.toMatch(/^\s+at /m)
  })
})

async function readPasswordHashes(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query('select password_hash from operator')
    return rows.map((row) => row.password_hash)
  } finally {
    await client.end()
  }
}

describe('npm start with DATABASE_URL', () => {
  it('migrates when several nodes start at the same time, and creates demo data only if configured', async () => {
    const database = await createEmptyDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'florin-own-'))
    const ports = [await freePort(), await freePort()]
    const env = { DATABASE_URL: database.url, FLORIN_DATA: folder, FLORIN_DRAIN_SECONDS: '0' }
    const nodes = ports.map((port) => start({ ...env, PORT: String(port) }))
    try {
      for (const port of ports) await until(isReady(port))
      await expect(readFile(join(folder, 'demo.json'))).rejects.toThrow()
      // There is no operator yet: each node prints the same setup code.
      const printed = () =>
        nodes.map((node) => /the first one with this code:\s+(\S+)/.exec(node.output())?.[1])
      await until(async () => printed().every((code) => code !== undefined))
      const [code, other] = printed()
      expect(other).toBe(code)
      const setUp = await fetch(`http://127.0.0.1:${ports[0]}/operator/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, name: 'Ada', email: 'a@b.example', password: 'long enough' }),
      })
      expect(setUp.status).toBe(200)
      expect(await readPasswordHashes(database.url)).toEqual([
        expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      ])
    } finally {
      for (const node of nodes) node.child.kill('SIGTERM')
      for (const node of nodes) expect(await node.exited).toBe(0)
    }
    const withDemo = start({
      ...env,
      PORT: String(ports[0]),
      FLORIN_DEMO: '1',
      FLORIN_DRAIN_SECONDS: '60',
    })
    try {
      await until(isReady(ports[0]!))
      const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
      expect(demo.store.name).toBe('Demo Store')
      // A second SIGTERM ends the drain.
      withDemo.child.kill('SIGTERM')
      await until(async () => withDemo.output().includes('SIGTERM: finishing requests'))
      withDemo.child.kill('SIGTERM')
      expect(await withDemo.exited).toBe(143)
    } finally {
      withDemo.child.kill('SIGKILL')
      await withDemo.exited
      await rm(folder, { recursive: true, force: true })
      await database.drop()
    }
  })
})
