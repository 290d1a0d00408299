import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../server/src/demo.ts'
import { freePort, isReady, type Started, start, until } from '../../server/test/setup/started.ts'
import { run, runHere } from './run.ts'

// The service runs as a demo first, then with the same data folder and the settings for a proxy in docs/production.md,
// with two processes and an archive.

let parent: string
let port: number
let demoSettings: Record<string, string>
let publicSettings: Record<string, string>
let florin: Started
let demo: Demo
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-exposed-'))
  port = await freePort()
  demoSettings = { FLORIN_DATA: join(parent, 'data'), PORT: String(port) }
  publicSettings = {
    ...demoSettings,
    FLORIN_PUBLIC_URL: 'https://pay.example.com',
    FLORIN_TRUST_PROXY: '1',
    FLORIN_PROCESSES: '2',
    FLORIN_ARCHIVE: join(parent, 'log'),
  }
  const first = start(demoSettings)
  await until(isReady(port))
  demo = JSON.parse(await readFile(join(parent, 'data', 'demo.json'), 'utf8'))
  first.child.kill('SIGTERM')
  expect(await first.exited).toBe(0)
  florin = start(publicSettings)
  await until(isReady(port))
})
afterAll(async () => {
  florin.child.kill('SIGTERM')
  await florin.exited
  await rm(parent, { recursive: true, force: true })
})

const call = (path: string, headers: Record<string, string>, body: object) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const create = (fields: object) =>
  call(
    '/merchant/payment/create',
    { 'api-key': demo.sandbox.api_key, 'api-secret': demo.sandbox.api_secret },
    { amount: 1, currency: 'USD', ...fields },
  )

type Finding = { check: string; state: string; message: string; fix?: string }
async function demoFinding(env: Record<string, string>): Promise<Finding | undefined> {
  const { stdout } = await run(env, 'doctor', '--json')
  return (JSON.parse(stdout).findings as Finding[]).find(({ check }) => check === 'demo')
}

it('refuses webhooks to private addresses and opens no demo wallet', async () => {
  for (const webhook_url of [
    `http://127.0.0.1:${port}/health`,
    'https://127.0.0.1/',
    'https://10.0.0.1/',
  ]) {
    const refused = await create({ webhook_url })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ errors: [{ field: 'webhook_url' }] })
  }
  expect((await create({})).status).toBe(200)
  expect((await call('/wallet/demo-session', {}, {})).status).toBe(404)
})

it('warns about demo credentials in the log and in doctor, and revokes them', {
  timeout: 120_000,
}, async () => {
  const demoAccess = '2 API keys, 1 operator token, 1 operator, 2 people, 4 wallets'
  expect(florin.output().match(/npx florin demo revoke/g)).toHaveLength(1)
  expect(florin.output()).toContain(demoAccess)
  const [inPublic, withoutDemo, inDemo] = await Promise.all([
    demoFinding(publicSettings),
    demoFinding({ ...demoSettings, FLORIN_DEMO: '0' }),
    demoFinding(demoSettings),
  ])
  expect(inPublic).toEqual({
    check: 'demo',
    state: 'problem',
    fix: 'Revoke them: npx florin demo revoke',
    message: `the demo's credentials still work: ${demoAccess}. Their secrets are in demo.json and in every copy of it`,
  })
  expect(withoutDemo).toMatchObject({ state: 'warning' })
  expect(inDemo).toBeUndefined()

  // At least one admin must remain.
  const refused = await run(publicSettings, 'demo', 'revoke')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Add your own first') })
  const ada = ['--name', 'Ada', '--email', 'a@b.example', '--role', 'admin']
  const added = await runHere(publicSettings, 'operators', 'add', ...ada)
  expect(added.code).toBe(0)
  const revoked = await run(publicSettings, 'demo', 'revoke', '--json')
  expect(revoked).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(revoked.stdout).revoked).toHaveLength(10)

  expect(await demoFinding(publicSettings)).toBeUndefined()
  expect(await readdir(join(parent, 'data'))).not.toContain('demo.json')
  await until(async () => (await create({})).status === 401)
  const { operator, merchant, wallets } = demo
  const metrics = { headers: { authorization: `Bearer ${operator.token}` } }
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, metrics)).status).toBe(401)
  const { email, password } = operator
  expect((await call('/operator/session', {}, { email, password })).status).toBe(401)
  expect((await call('/store/session', {}, merchant)).status).toBe(401)
  const [{ phone, pin }] = wallets as [Demo['wallets'][number]]
  expect((await call('/wallet/session', {}, { phone, pin })).status).toBe(403)
  const again = await run(publicSettings, 'demo', 'revoke', '--json')
  expect(JSON.parse(again.stdout)).toEqual({ revoked: [], is_demo: false })
})
