import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { decryptSecret } from '../../server/src/core/secrets.ts'
import { type Database, openDatabase } from '../../server/src/database/database.ts'
import { sealAuditLog } from '../../server/src/ops/auditChain.ts'
import { useCode } from '../../server/src/ops/factors.ts'
import { rotateSecretKey } from '../../server/src/ops/rotateSecretKey.ts'
import { findSecrets } from '../../server/src/sql/secrets.ts'
import type { OldLedger } from '../../server/test/setup/oldLedger.ts'
import { program, run, runHere } from './run.ts'
import { ACTOR, startSealedLedger, TOTP_SECRET } from './sealedLedger.ts'

const newKey = () => randomBytes(32).toString('base64')

let ledger: OldLedger
let database: Database
let key: string
let env: Record<string, string>
let secrets: string[]

beforeAll(async () => {
  ;({ ledger, key, env, database } = await startSealedLedger())
  secrets = await readSecrets()
  expect(secrets).toHaveLength(2)
})
afterAll(async () => {
  await database.close()
  await ledger.client.end()
})

const florin = (...args: string[]) => runHere(env, ...args)
const rotate = (to: string, from = env.FLORIN_SECRET_KEY!) =>
  runHere({ ...env, FLORIN_SECRET_KEY: from, FLORIN_NEW_SECRET_KEY: to }, 'rotate-key')

async function readSecrets(): Promise<string[]> {
  const stored = await findSecrets(database, ledger.shop.store.storeId, 'live')
  return stored.map((secret) => decryptSecret(secret, Buffer.from(key, 'base64')))
}

/** Everything that depends on the key, and the entries that a replacement writes. */
async function snapshot() {
  const tables = ['webhook_secret', 'totp', 'mail', 'audit_seal', 'day_seal', 'archive']
  const rows: Record<string, unknown> = {}
  for (const table of [...tables, 'secret_key_check', 'audit_log', 'security_event']) {
    rows[table] = await ledger.rowsOf(`select r::text as row from ${table} r order by 1`)
  }
  return rows
}

async function expectRefused(message: string | RegExp, to = newKey(), from?: string) {
  const before = await snapshot()
  const { code, stdout, stderr } = await rotate(to, from)
  expect([code, stdout, stderr]).toEqual([expect.any(Number), '', expect.stringMatching(message)])
  expect([1, 2]).toContain(code)
  expect(await snapshot()).toEqual(before)
}

/** Changes rows, expects a refusal, and changes them back. */
async function expectRefusedWith(change: string, undo: string, message: string | RegExp) {
  await ledger.client.query(change)
  await expectRefused(message)
  await ledger.client.query(undo)
}

it('refuses a missing, malformed or unchanged new key, and a wrong old one', async () => {
  await expectRefused('Set FLORIN_NEW_SECRET_KEY to the new key', '')
  await expectRefused('Set FLORIN_NEW_SECRET_KEY to the new key', 'c2hvcnQ=')
  await expectRefused('The new key is the old one', key)
  await expectRefused('The secrets in this database are encrypted with another key', key, newKey())
})

it('refuses while another process of Florin runs', async () => {
  // A name in its DATABASE_URL doesn't hide it.
  const url = new URL(env.DATABASE_URL!)
  url.searchParams.set('application_name', 'shop')
  const service = openDatabase({ url: url.href, poolSize: 1, poolTimeoutMs: 5_000 })
  await service.query('select 1')
  await expectRefused(/Florin is running\.[\s\S]* connection \d+ of PostgreSQL \(florin\)/)
  await service.close()
  const insert = (seen: string) =>
    `insert into node (node_id, host, pid, version, started_at, seen_at, is_ready, memory)
     values (gen_random_uuid(), 'web-1', 4711, '1', now(), ${seen}, true, 1)`
  await expectRefusedWith(insert('now()'), 'delete from node', /process 4711 on web-1/)
  await ledger.client.query(insert(`now() - interval '1 minute'`))
})

it('refuses while an audit or another replacement runs, and other commands are refused during a replacement', async () => {
  await expectRefusedWith(
    'begin; select pg_advisory_xact_lock(4, 8)',
    'rollback',
    'Another command or process uses the database',
  )
  await ledger.client.query('begin; lock table secret_key_check in share row exclusive mode')
  expect((await florin('audit')).stderr).toBe(
    'florin rotate-key is running. Start again when it has finished.\n',
  )
  await ledger.client.query('rollback')
})

const flip = (table: string, column: string, where: string) =>
  `update ${table} set ${column} = set_byte(${column}, 3, 255 - get_byte(${column}, 3)) where ${where}`

it('refuses to hide a changed seal or entry, and names a secret that was changed', async () => {
  const broken =
    /A seal of the ledger or of the audit log is broken\..* To replace the key .* add --keep-broken-seals\./
  const seal = flip('day_seal', 'mac', 'day = (select min(day) from day_seal)')
  const month = flip('archive', 'mac', 'true')
  const entry = flip('audit_seal', 'hash', 'position = 2')
  for (const change of [seal, month, entry]) await expectRefusedWith(change, change, broken)
  await expectRefusedWith(
    `update audit_log set actor = actor || '!' where entry_id = 1`,
    `update audit_log set actor = rtrim(actor, '!') where entry_id = 1`,
    broken,
  )
  const secret = flip('totp', 'secret', 'true')
  await expectRefusedWith(secret, secret, `The secret of totp opr_1 can't be decrypted`)
})

it('leaves the old state if it is killed in the middle', async () => {
  const before = await snapshot()
  await ledger.client.query('begin; lock table archive in share row exclusive mode')
  const command = spawn(process.execPath, [program, 'rotate-key'], {
    env: { ...process.env, ...env, FLORIN_NEW_SECRET_KEY: newKey() },
    stdio: 'ignore',
  })
  const ended = once(command, 'exit')
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update archive%'`
  await vi.waitFor(async () => expect(await database.query(waiting)).toHaveLength(1), {
    timeout: 30_000,
    interval: 20,
  })
  command.kill('SIGKILL')
  await ended
  await ledger.client.query('rollback')
  expect(await snapshot()).toEqual(before)
  await expectClean()
})

/** The service starts, and all seals and secrets are right. */
async function expectClean(): Promise<void> {
  const { code, stdout } = await florin('audit', '--full')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/The audit log is complete and unchanged: [1-9]/),
  ])
  expect(await readSecrets()).toEqual(secrets)
}

it('replaces the key: same secrets, clean audits, an entry in both logs, and the old key is refused', async () => {
  const [{ content }] = await ledger.rowsOf('select content from mail order by mail_id')
  const mail = decryptSecret(content, Buffer.from(key, 'base64'))
  const { audit_log } = JSON.parse((await florin('audit', '--json')).stdout)
  const oldKey = key
  const next = newKey()
  const { code, stdout } = await rotate(next)
  expect([code, stdout]).toEqual([0, expect.stringContaining('The secret key was replaced.')])
  expect(stdout).toMatch(
    /Encrypted again: \d+ webhook secrets, 1 authenticator secrets, 1001 emails\.\nSealed again: [1-9]\d* entries of the audit log, [1-9]\d* days, 1 archived months\.\n/,
  )
  expect(stdout).not.toContain(next)
  expect(stdout).not.toContain(oldKey)
  const refused = await florin('audit')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('The secrets in this database are encrypted with another key.'),
  ])

  key = next
  env.FLORIN_SECRET_KEY = next
  await expectClean()
  const secretKey = Buffer.from(key, 'base64')
  const [row] = await ledger.rowsOf('select content from mail order by mail_id')
  expect(decryptSecret(row.content, secretKey)).toBe(mail)
  const code6 = new TOTP({ secret: Secret.fromBase32(TOTP_SECRET) }).generate()
  const use = { id: 'opr_1', code: code6, secretKey, at: new Date() }
  expect(await database.transaction((tx) => useCode(tx, use))).toBe('totp')

  const [, head] = /audit log elsewhere: (\d+:[0-9a-f]{64})/.exec(stdout)!
  expect((await florin('audit', '--head', head!)).code).toBe(0)
  const [entry] = await ledger.rowsOf(`select * from audit_log where action = 'secret_key.rotate'`)
  expect(entry).toMatchObject({
    subject: 'secret_key',
    before: { audit_log_head: audit_log.head },
    after: { audit_log_head: head },
  })
  const events = await ledger.rowsOf(
    `select actor from security_event where details = '{"setting": "secret_key"}'`,
  )
  expect(events).toEqual([{ actor: entry.actor }])
  // A process that was cut off from the database meanwhile still has the old key.
  expect(await sealAuditLog(database, Buffer.from(oldKey, 'base64'))).toBe(0)
  expect(await sealAuditLog(database, secretKey)).toBe(1)
  await expectClean()
})

it('replaces the key of a cluster', async () => {
  const cluster = openDatabase({
    url: env.DATABASE_URL!,
    poolSize: 1,
    poolTimeoutMs: 5_000,
    isDistributed: true,
    applicationName: 'florin rotate-key',
  })
  const next = newKey()
  await rotateSecretKey(cluster, {
    oldKey: Buffer.from(key, 'base64'),
    createKey: async () => Buffer.from(next, 'base64'),
    keepsBroken: false,
    actor: ACTOR,
    onProgress: () => {},
  })
  await cluster.close()
  key = next
  env.FLORIN_SECRET_KEY = next
  await expectClean()
})

it('replaces a key in the data folder, and keeps the old one for older backups', async () => {
  const file = join(ledger.folder, 'secret.key')
  const oldKey = key
  await writeFile(file, `${oldKey}\n`, { mode: 0o600 })
  await writeFile(join(ledger.folder, 'pepper.key'), `${env.FLORIN_PEPPER}\n`, { mode: 0o600 })
  const { FLORIN_SECRET_KEY: _key, FLORIN_PEPPER: _pepper, ...rest } = env
  env = rest
  const set = await runHere({ ...env, FLORIN_NEW_SECRET_KEY: newKey() }, 'rotate-key')
  expect([set.code, set.stderr]).toEqual([
    2,
    expect.stringContaining('Unset FLORIN_NEW_SECRET_KEY'),
  ])
  await writeFile(`${file}.next`, 'x')
  expect(await florin('rotate-key')).toMatchObject({
    code: 1,
    stderr: `${file}.next is damaged. Move it away, and try again.\n`,
  })
  await rm(`${file}.next`)

  const { code, stdout } = await florin('rotate-key', '--json')
  const report = JSON.parse(stdout)
  expect([code, report.key]).toEqual([0, file])
  key = (await readFile(file, 'utf8')).trim()
  expect(key).not.toBe(oldKey)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(report.old_key)).mode & 0o777).toBe(0o600)
  expect((await readFile(report.old_key, 'utf8')).trim()).toBe(oldKey)
  expect(await readdir(ledger.folder)).not.toContain('secret.key.next')
  await expectClean()

  // As if it had been killed between the commit and the rename.
  await rename(file, `${file}.next`)
  await rename(report.old_key, file)
  expect((await run(env, 'doctor')).stdout).toContain(
    'florin rotate-key was interrupted: the key of the database is in secret.key.next',
  )
  await expectClean()
  expect((await readFile(file, 'utf8')).trim()).toBe(key)
  const kept = (await readdir(ledger.folder)).filter((name) => name.startsWith('secret.key.'))
  expect(kept).toEqual([expect.stringMatching(/^secret\.key\.until-\d{8}T\d{6}Z$/)])

  // As if it had been killed before the commit: the next attempt must use this key, because the database may get it.
  const next = newKey()
  await writeFile(`${file}.next`, `${next}\n`, { mode: 0o600 })
  await expectClean()
  expect((await florin('rotate-key')).code).toBe(0)
  key = (await readFile(file, 'utf8')).trim()
  expect(key).toBe(next)
  await expectClean()
})

it('replaces the key despite broken seals if it is told to, and audits still report the same', async () => {
  const findings = async () => {
    const { code, stdout } = await florin('audit', '--full', '--json')
    expect(code).toBe(1)
    const { checks } = JSON.parse(stdout)
    return checks.filter((check: { findings: unknown[] }) => check.findings.length > 0)
  }
  await sealAuditLog(database, Buffer.from(key, 'base64'))
  for (const change of [
    flip('day_seal', 'mac', 'day = (select min(day) from day_seal)'),
    'delete from day_seal where day = (select max(day) from day_seal)',
    flip('archive', 'mac', 'true'),
    flip('audit_seal', 'hash', 'position = 2'),
    `update audit_log set after = after || '{"name": "Eve"}' where entry_id = (select max(entry_id) from audit_log where action = 'wallet.create')`,
    'delete from audit_seal where position = (select max(position) - 1 from audit_seal)',
  ]) {
    await ledger.client.query(change)
  }
  const before = await findings()
  const found = JSON.stringify(before)
  for (const name of [
    'seal of ',
    'seals of stores on ',
    'archived months',
    'entry 2 ',
    'removed',
  ]) {
    expect(found).toContain(name)
  }
  const refused = await florin('rotate-key')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is broken')])

  const { code, stdout } = await florin('rotate-key', '--keep-broken-seals')
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /Broken, and still reported by npx florin audit:\n(?: {2}.+\n)*? {2}entry 2 .+\n/,
    ),
  ])
  expect(stdout).toMatch(/\n {2}archive of \d{4}-\d\d\n/)
  key = (await readFile(join(ledger.folder, 'secret.key'), 'utf8')).trim()
  expect(await findings()).toEqual(before)
  // New entries continue the chain.
  await sealAuditLog(database, Buffer.from(key, 'base64'))
  expect(await findings()).toEqual(before)
  const [entry] = await ledger.rowsOf(
    `select after from audit_log where action = 'secret_key.rotate' order by entry_id desc`,
  )
  expect(entry.after.broken).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^seal of /),
      expect.stringMatching(/^entry 2 /),
    ]),
  )
})
