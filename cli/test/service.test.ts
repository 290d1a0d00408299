import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Florin } from '@florin/sdk'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbedded } from '../../server/src/embedded/server.ts'
import { type Receiver, startReceiver } from '../../server/test/setup/receiver.ts'
import { createTestDatabase } from '../../server/test/setup/testDatabase.ts'
import { type DemoService, startDemo } from './demo.ts'
import { type Result, run, runHere } from './run.ts'

let demo: DemoService
let receiver: Receiver
let folder: string
beforeAll(async () => {
  const data = await mkdtemp(join(tmpdir(), 'florin-demo-'))
  // The service also reads keys in base64url, and the doctor must find that they match.
  const pepper = randomBytes(32).toString('base64url')
  await writeFile(join(data, 'pepper.key'), `${pepper}\n`, { mode: 0o600 })
  demo = await startDemo(data)
  receiver = await startReceiver((_request, response) => {
    response.statusCode = 401
    response.end()
  })
  folder = await mkdtemp(join(tmpdir(), 'florin-service-'))
})
afterAll(async () => {
  await receiver.close()
  await demo.stop()
  await rm(folder, { recursive: true, force: true })
})

type Finding = { check: string; state: string; message: string; fix?: string }

/** Warnings and problems as "state check: message". Every finding except `ok` must have a fix. */
function warningsAndProblems({ stdout }: Result): string[] {
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  for (const { state, fix } of findings) expect(fix !== undefined).toBe(state !== 'ok')
  return findings
    .filter(({ state }) => state === 'warning' || state === 'problem')
    .map(({ check, state, message }) => `${state} ${check}: ${message}`)
}

it('reports no problems for a running service and its receiver', async () => {
  const env = { FLORIN_DATA: demo.folder, PORT: String(demo.port) }
  const found = await run(env, 'doctor', '--webhook-url', receiver.url)
  expect(found.stdout).not.toMatch(/warning|PROBLEM/)
  // Notes about what a demo doesn't need don't count as warnings.
  expect(found.stdout.match(/^note {5}\w+/gm)).toEqual(['note     archive', 'note     mail'])
  expect(found.code).toBe(0)
  expect(found.stdout).toContain(`Florin runs on ${demo.port} and is ready`)
  expect(found.stdout).toMatch(/responds 401 in \d+ ms/)
  expect(found.stdout).toContain('No problems found.')
  expect(receiver.received).toHaveLength(1)
})

it('finds the port of a running demo, unless PORT is set', async () => {
  const [found, free] = await Promise.all([
    run({ FLORIN_DATA: demo.folder }, 'doctor'),
    run({ FLORIN_DATA: demo.folder, PORT: '0' }, 'doctor'),
  ])
  expect(found.stdout).toContain(`Florin runs on ${demo.port} and is ready`)
  expect(found.stdout).toContain(`public URL: http://localhost:${demo.port} responds`)
  expect(free.stdout).toContain('port: any free port')
})

it('reports all problems together, with their fixes', async () => {
  const settings = await run(
    { PORT: 'many', DATABASE_URL: 'mysql://x', FLORIN_PROT: '1' },
    'doctor',
  )
  expect(settings.code).toBe(1)
  expect(settings.stdout).toContain('PROBLEM  settings: PORT must be a whole number')
  expect(settings.stdout).toContain('PROBLEM  settings: DATABASE_URL must begin with postgres://')
  expect(settings.stdout).toContain('warning  settings: FLORIN_PROT is not a setting of Florin')

  await writeFile(join(folder, 'secret.key'), 'x')
  await chmod(join(folder, 'secret.key'), 0o644)
  const env = {
    FLORIN_DATA: folder,
    PORT: String(receiver.port),
    DATABASE_URL: 'postgres://x:x@127.0.0.1:1/x',
  }
  const unreachable = await run(env, 'doctor', '--json', '--webhook-url', receiver.url)
  expect(unreachable.code).toBe(1)
  expect(warningsAndProblems(unreachable)).toEqual([
    expect.stringMatching(/^problem secrets: .*secret\.key is readable by other users/),
    expect.stringMatching(/^problem database: unreachable: .*ECONNREFUSED/),
    `problem port: another program uses ${receiver.port}`,
    // With an external database, webhooks to private addresses are refused.
    `problem webhook: ${receiver.url} must begin with https://`,
  ])
})

it('reports a database that is not durable, not migrated or has another key', async () => {
  const database = await createTestDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const env = { DATABASE_URL: database.url, FLORIN_DATA: folder, PORT: '0' }
    for (const statement of [
      'create schema lossy',
      `create view lossy.pg_settings as
       select name, case name when 'fsync' then 'off' else setting end as setting
       from pg_catalog.pg_settings`,
      `alter database ${name} set search_path = lossy, pg_catalog, public`,
    ])
      await client.query(statement)
    await client.query(`insert into secret_key_check (key_hash) values (sha256('another'))`)
    await client.query(
      `insert into wallet (wallet_id, public_id, mode, name, email, phone, created_at, erased_at)
       values (1, 'wal_full', 'live', '', '', '', now(), now()), (2, 'wal_empty', 'live', '', '', '', now(), now())`,
    )
    await client.query(
      `insert into wallet_balance (wallet_id, currency, balance) values (1, 'USD', 5), (2, 'USD', 0)`,
    )
    await client.query(
      `insert into node (node_id, host, pid, version, started_at, seen_at, is_ready, memory, forwarded_at)
       values ('recent', 'a', 1, '0', now(), now(), true, 1, now() - interval '59 minutes'),
         ('never', 'a', 2, '0', now(), now(), true, 1, null)`,
    )
    expect(warningsAndProblems(await run(env, 'doctor', '--json'))).toEqual([
      expect.stringMatching(/^problem secrets: /),
      'problem secret key: does not match the secrets in the database',
      expect.stringMatching(/^warning pepper: is missing/),
      'warning wallets: erased wallets received refunds: wal_full',
      'warning proxy: requests carry X-Forwarded-For or Forwarded, but FLORIN_TRUST_PROXY is 0',
      expect.stringMatching(/^problem durability: fsync is off/),
    ])
    const empty = await mkdtemp(join(folder, 'empty-'))
    const withoutKey = await run({ ...env, FLORIN_DATA: empty }, 'doctor', '--json')
    expect(warningsAndProblems(withoutKey)).toContain(
      'problem secret key: is missing: the secrets encrypted with it cannot be read',
    )
    expect(withoutKey.stdout).toContain(`restore its file: ${keyPathOf(empty)}`)
    await client.query(
      'delete from schema_migration where name = (select max(name) from schema_migration)',
    )
    expect(warningsAndProblems(await run(env, 'doctor', '--json'))).toContainEqual(
      expect.stringMatching(/^problem migrations: not applied: \d{3}_/),
    )
  } finally {
    await client.end()
    await database.drop()
  }
})

/** Creates and pays payments until stopped; returns the acknowledged ones. */
async function startLoad() {
  const { base_url, sandbox } = JSON.parse(await readFile(join(demo.folder, 'demo.json'), 'utf8'))
  const { api_key: apiKey, api_secret: apiSecret } = sandbox
  const florin = new Florin({ baseUrl: base_url, apiKey, apiSecret })
  const paid: string[] = []
  let isOver = false
  let number = 0
  const shops = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const reference_id = `load-${number++}`
      const made = await florin.payments.create({ amount: '1.23', currency: 'USD', reference_id })
      await florin.sandbox.pay(made.payment_id)
      paid.push(reference_id)
    }
  })
  return {
    paid,
    async stop() {
      isOver = true
      await Promise.all(shops)
    },
  }
}

/** Returns the references of the paid payments. Also checks that a restore is refused while the database runs. */
async function paidReferences(data: string): Promise<Set<string>> {
  const database = await startEmbedded({ folder: data, log: () => {} })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ reference: string }>(
      `select reference_id as reference
       from payment
       where status = 'completed'`,
    )
    const refused = await run({ FLORIN_DATA: data }, 'restore', join(folder, 'one.tar.gz'))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is running') })
    return new Set(rows.map((row) => row.reference))
  } finally {
    await client.end()
    await database.stop()
  }
}

const keyPathOf = (data: string) => join(data, 'secret.key')

// A backup and a restore run several processes and start PostgreSQL twice.
const RESTORE_TIMEOUT_MS = 180_000

it('backs up under load and restores every payment acknowledged before', {
  timeout: RESTORE_TIMEOUT_MS,
}, async () => {
  const file = join(folder, 'one.tar.gz')
  const load = await startLoad()
  while (load.paid.length < 100) await new Promise((resolve) => setTimeout(resolve, 20))
  const before = [...load.paid]
  const made = await run({ FLORIN_DATA: demo.folder }, 'backup', file, '--json')
  const after = load.paid.length
  await load.stop()
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(after).toBeGreaterThan(before.length)
  const { bytes, keys } = JSON.parse(made.stdout)
  const { size, mode } = await stat(file)
  expect([bytes, mode & 0o777]).toEqual([size, 0o600])
  expect(keys).toEqual([keyPathOf(demo.folder), join(demo.folder, 'pepper.key')])

  const data = join(folder, 'restored')
  const lacking = await runHere({ FLORIN_DATA: data }, 'restore', file)
  expect(lacking).toMatchObject({ code: 1, stderr: expect.stringContaining('--secret-key FILE') })
  const named = [
    '--secret-key',
    keyPathOf(demo.folder),
    '--pepper',
    join(demo.folder, 'pepper.key'),
  ]
  const restored = await runHere({ FLORIN_DATA: data }, 'restore', file, '--json', ...named)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  const { payments, kept_aside } = JSON.parse(restored.stdout)
  expect(payments).toBeGreaterThanOrEqual(before.length)
  expect(kept_aside).toBeNull()
  expect((await readdir(data)).sort()).toEqual([
    'demo.json',
    'pepper.key',
    'postgres',
    'postgres.password',
    'secret.key',
  ])
  const found = await paidReferences(data)
  expect(before.filter((reference) => !found.has(reference))).toEqual([])
})

it('says that the file of a backup cannot be written', async () => {
  const target = join(folder, 'x'.repeat(250))
  expect(await run({ FLORIN_DATA: demo.folder }, 'backup', target)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^\S+x cannot be written: ENAMETOOLONG.*permissions\.\n$/),
  })
})

it('refuses a damaged backup, and existing data without --replace', {
  timeout: RESTORE_TIMEOUT_MS,
}, async () => {
  const file = join(folder, 'one.tar.gz')
  const data = join(folder, 'restored')
  const key = await readFile(keyPathOf(data), 'utf8')
  const again = await runHere({ FLORIN_DATA: demo.folder }, 'backup', file)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
  const refused = await runHere({ FLORIN_DATA: data }, 'restore', file)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Use --replace') })
  const missing = await runHere({ FLORIN_DATA: data }, 'restore', `${file}.old`)
  expect(missing.stderr).toContain('one.tar.gz.old does not exist. Check the path.')

  const text = gunzipSync(await readFile(file)).toString('latin1')
  const damages = {
    'has changed': gzipSync(Buffer.from(text.replace('Demo Store', 'Demo Stork'), 'latin1')),
    'unexpected end of file': (await readFile(file)).subarray(0, 1_000_000),
    'incorrect header check': Buffer.from('no backup at all'),
  }
  for (const [words, bytes] of Object.entries(damages)) {
    const damaged = join(folder, 'damaged.tar.gz')
    await writeFile(damaged, bytes)
    const refused = await runHere({ FLORIN_DATA: data }, 'restore', damaged, '--replace')
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(words) })
  }
  expect(await readFile(keyPathOf(data), 'utf8')).toBe(key)

  const replaced = await runHere({ FLORIN_DATA: data }, 'restore', file, '--replace', '--json')
  const { kept_aside } = JSON.parse(replaced.stdout)
  // The restore keeps a key that is already in the folder.
  expect(await readFile(keyPathOf(data), 'utf8')).toBe(key)
  expect(await readdir(join(kept_aside, 'postgres'))).toContain('PG_VERSION')
  expect((await readdir(data)).filter((name) => name.startsWith('restoring'))).toEqual([])
})
