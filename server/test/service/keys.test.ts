import { randomBytes } from 'node:crypto'
import {
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { hashToken } from '../../src/core/ids.ts'
import { open, SetupError } from '../../src/open.ts'
import { explainStartError } from '../../src/startErrors.ts'
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../setup/testDatabase.ts'

let database: TestDatabase
let parent: string
beforeAll(async () => {
  database = await createTestDatabase()
  parent = await mkdtemp(join(tmpdir(), 'florin-keys-'))
})
afterAll(async () => {
  await database.drop()
  await rm(parent, { recursive: true, force: true })
})

const newKey = () => randomBytes(32).toString('base64')
async function openWith(env: Record<string, string>, { upgrade = false } = {}) {
  const config = readConfig({
    DATABASE_URL: database.url,
    FLORIN_DATA: join(parent, 'own'),
    ...env,
  })
  const log = pino({ level: 'silent' })
  const opened = await open(config, { log, print: () => {}, upgrade })
  const { secretKey, pepper } = opened.service
  await opened.close()
  return { secretKey: secretKey.toString('base64'), pepper: pepper.toString('base64') }
}

it('the secret key and the pepper are created once, each in its own file, and every start uses the same ones', async () => {
  // If root opens the folder of another user, that user must be able to read the keys.
  const folder = join(parent, 'own')
  await mkdir(folder)
  if (process.getuid?.() === 0) await chown(folder, 65_534, 65_534)
  const first = await openWith({})
  expect(await openWith({})).toEqual(first)
  for (const name of ['secret.key', 'pepper.key'])
    expect((await stat(join(folder, name))).uid).toBe((await stat(folder)).uid)
  const readKey = async (name: string) => (await readFile(join(parent, 'own', name), 'utf8')).trim()
  expect(await readKey('secret.key')).toBe(first.secretKey)
  expect(await readKey('pepper.key')).toBe(first.pepper)
  expect(first.pepper).not.toBe(first.secretKey)
})

it("the secret key and the pepper must be the same on every node: otherwise the service doesn't start and names the wrong setting", async () => {
  const { secretKey, pepper } = await openWith({})
  const same = {
    FLORIN_DATA: join(parent, 'other'),
    FLORIN_SECRET_KEY: secretKey,
    FLORIN_PEPPER: pepper,
  }
  expect(await openWith(same)).toEqual({ secretKey, pepper })
  const expectRefused = (env: Record<string, string>) => expect(openWith(env)).rejects
  await expectRefused({ ...same, FLORIN_SECRET_KEY: newKey() }).toThrow(/Set FLORIN_SECRET_KEY/)
  await expectRefused({ ...same, FLORIN_PEPPER: newKey() }).toThrow(SetupError)
  await expectRefused({ ...same, FLORIN_PEPPER: newKey() }).toThrow(/Set FLORIN_PEPPER/)

  // With the key only, as after a restore without the pepper.
  const partialFolder = join(parent, 'half')
  await mkdir(partialFolder)
  await copyFile(join(parent, 'own', 'secret.key'), join(partialFolder, 'secret.key'))
  await expectRefused({ FLORIN_DATA: partialFolder }).toThrow(/pepper\.key in FLORIN_DATA/)
  // No new pepper is left there, because it would look like the right one.
  expect(await readdir(partialFolder)).toEqual(['secret.key'])

  // With neither, as after a restore without the keys.
  const emptyFolder = join(parent, 'none')
  await expectRefused({ FLORIN_DATA: emptyFolder }).toThrow(/secret\.key in FLORIN_DATA/)
  expect(await readdir(emptyFolder)).toEqual([])
})

it('no keys are created for a database that must be migrated first, because it has been used with others', async () => {
  const older = await createTestDatabase()
  const client = new pg.Client(older.url)
  await client.connect()
  await client.query(
    'delete from schema_migration where name = (select max(name) from schema_migration)',
  )
  await client.end()
  const folder = join(parent, 'older')
  const opening = openWith({ DATABASE_URL: older.url, FLORIN_DATA: folder })
  await expect(opening).rejects.toThrow(/npx florin migrate/)
  expect(await readdir(folder)).toEqual([])
  await older.drop()
})

it('wrong keys are refused before a database of an earlier version is migrated, and a start without keys leaves none', async () => {
  const earlier = await createEmptyDatabase()
  const client = new pg.Client(earlier.url)
  await client.connect()
  const [secretKey, pepper] = [newKey(), newKey()]
  await client.query('create table secret_key_check (only_row boolean, key_hash bytea)')
  await client.query('insert into secret_key_check values (true, $1)', [hashToken(secretKey)])
  const folder = join(parent, 'earlier')
  const expectRefused = (env: Record<string, string>) =>
    expect(openWith({ DATABASE_URL: earlier.url, FLORIN_DATA: folder, ...env }, { upgrade: true }))
      .rejects
  await expectRefused({}).toThrow(/Set FLORIN_SECRET_KEY/)
  await client.query('alter table secret_key_check add column pepper_hash bytea')
  await client.query('update secret_key_check set pepper_hash = $1', [hashToken(pepper)])
  const wrong = { FLORIN_SECRET_KEY: secretKey, FLORIN_PEPPER: newKey() }
  await expectRefused(wrong).toThrow(/Set FLORIN_PEPPER/)
  expect(await readdir(folder)).toEqual([])
  const { rows } = await client.query("select from pg_tables where schemaname = 'public'")
  expect(rows).toHaveLength(1)
  await client.end()
  await earlier.drop()
})

it('a damaged key file is reported without a stack trace', async () => {
  const folder = join(parent, 'damaged')
  await mkdir(folder)
  await writeFile(join(folder, 'secret.key'), 'c2hvcnQ=\n')
  const error = await openWith({ FLORIN_DATA: folder }).catch((error: unknown) => error)
  expect(explainStartError(error, {})).toBe(
    `${join(folder, 'secret.key')} is damaged: it must contain 32 bytes in base64. Restore it from a copy.`,
  )
})
