import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { withShop } from '../../server/test/setup/withShop.ts'
import { INDEX, writeArchive } from '../src/backup/archive.ts'
import { type BackupReport, backup } from '../src/backup/backup.ts'
import { restore } from '../src/backup/restore.ts'
import { readTar, type TarEntry } from '../src/backup/tar.ts'

// Each restore starts a PostgreSQL server and audits its ledger.
const RESTORE_TIMEOUT_MS = 180_000
const newKey = () => `${randomBytes(32).toString('base64')}\n`

let parent: string
let data: string
let archive: string
let file: string
let made: BackupReport
let secretKey: string
let pepper: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-keys-'))
  data = join(parent, 'data')
  archive = join(parent, 'log')
  file = join(parent, 'backup.tar.gz')
  pepper = newKey()
  await mkdir(data, { mode: 0o700 })
  await writeFile(join(data, 'pepper.key'), pepper, { mode: 0o600 })
  vi.stubEnv('FLORIN_DATA', data)
  vi.stubEnv('FLORIN_ARCHIVE', archive)
  made = await withShop(process.env, async (shop) => {
    await shop.pay('before the backup')
    // As if the database's clock had been set back by an hour between the creation of the payment and its settlement.
    await shop.sql(
      `update payment
       set created_at = created_at + interval '1 hour', expires_at = expires_at + interval '1 hour'`,
    )
    return backup(file)
  })
  secretKey = await readFile(join(data, 'secret.key'), 'utf8')
}, RESTORE_TIMEOUT_MS)
beforeEach(() => {
  vi.unstubAllEnvs()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(parent, { recursive: true, force: true })
})

const containsKey = (bytes: Buffer, key: string) =>
  bytes.includes(key.trim()) || bytes.includes(Buffer.from(key, 'base64'))

it('backups and archived logs contain no key, and a backup reports where the keys are', async () => {
  expect(made.keys).toEqual([join(data, 'secret.key'), join(data, 'pepper.key')])
  const logs = (await readdir(archive)).filter((name) => name.endsWith('.gz'))
  expect(logs.length).toBeGreaterThan(0)
  for (const path of [file, ...logs.map((name) => join(archive, name))]) {
    const bytes = gunzipSync(await readFile(path))
    expect([path, containsKey(bytes, secretKey), containsKey(bytes, pepper)]).toEqual([
      path,
      false,
      false,
    ])
  }
})

/** Creates a data folder with only these keys, and uses it as FLORIN_DATA. */
async function newFolder(name: string, keys: Record<string, string> = {}): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { mode: 0o700 })
  for (const [key, text] of Object.entries(keys))
    await writeFile(join(folder, key), text, { mode: 0o600 })
  vi.stubEnv('FLORIN_DATA', folder)
  return folder
}
const options = { replace: false, until: null }
const keyPaths = () => ({
  'secret.key': join(data, 'secret.key'),
  'pepper.key': join(data, 'pepper.key'),
})

it('refuses a restore without the keys or with wrong ones, and changes nothing', {
  timeout: RESTORE_TIMEOUT_MS,
}, async () => {
  const folder = await newFolder('without')
  await expect(restore(file, options)).rejects.toThrow(
    `Backups do not contain keys. Put the keys of this backup into ${folder}, or give each of them:
  secret.key: --secret-key FILE, or FLORIN_SECRET_KEY
  pepper.key: --pepper FILE, or FLORIN_PEPPER
Nothing was changed.`,
  )
  const wrong = join(parent, 'wrong.key')
  await writeFile(wrong, newKey())
  for (const name of ['secret.key', 'pepper.key'])
    await expect(
      restore(file, { ...options, keyPaths: { ...keyPaths(), [name]: wrong } }),
    ).rejects.toThrow(`${wrong} is not the key of this backup. Give the right one with `)
  await expect(
    restore(file, { ...options, keyPaths: { ...keyPaths(), 'pepper.key': join(parent, 'none') } }),
  ).rejects.toThrow(`${join(parent, 'none')} does not exist. Check the path.`)
  await expect(
    restore(file, { ...options, keyPaths: { ...keyPaths(), 'pepper.key': parent } }),
  ).rejects.toThrow(/ cannot be read: EISDIR.*\. Check the path and its permissions\.$/)
  expect(await readdir(folder)).toEqual([])

  const other = newKey()
  await newFolder('other', { 'secret.key': other, 'pepper.key': pepper })
  await expect(restore(file, options)).rejects.toThrow('secret.key is not the key of this backup')
  await expect(restore(file, { ...options, keyPaths: keyPaths() })).rejects.toThrow(
    'already has secret.key. Use --replace',
  )
  expect(await readFile(join(parent, 'other', 'secret.key'), 'utf8')).toBe(other)
})

it('takes the keys from given files, from settings or from the folder', {
  timeout: RESTORE_TIMEOUT_MS,
}, async () => {
  const named = await newFolder('named')
  expect(await restore(file, { ...options, keyPaths: keyPaths() })).toMatchObject({
    payments: 1,
    kept_aside: null,
    contained_key: false,
    keys: [join(data, 'secret.key'), join(data, 'pepper.key')],
  })
  expect(await readFile(join(named, 'secret.key'), 'utf8')).toBe(secretKey)
  expect(await readFile(join(named, 'pepper.key'), 'utf8')).toBe(pepper)
  expect((await stat(join(named, 'secret.key'))).mode & 0o777).toBe(0o600)
  // The restored service starts, which checks both keys, and accepts payments.
  await withShop(process.env, async (shop) => {
    await shop.pay('after the restore')
    expect(await shop.paid()).toEqual(['before the backup', 'after the restore'])
  })

  const inPlace = await newFolder('in place', { 'secret.key': secretKey, 'pepper.key': pepper })
  expect(await restore(file, options)).toMatchObject({ payments: 1, kept_aside: null })
  const again = await restore(file, { ...options, replace: true })
  expect(await readdir(again.kept_aside!)).not.toContain('secret.key')
  expect(await readFile(join(inPlace, 'secret.key'), 'utf8')).toBe(secretKey)

  const set = await newFolder('set')
  vi.stubEnv('FLORIN_SECRET_KEY', secretKey.trim())
  vi.stubEnv('FLORIN_PEPPER', pepper.trim())
  await expect(restore(file, { ...options, keyPaths: keyPaths() })).rejects.toThrow(
    '--secret-key and FLORIN_SECRET_KEY are both given.',
  )
  expect(await restore(file, options)).toMatchObject({
    keys: ['FLORIN_SECRET_KEY', 'FLORIN_PEPPER'],
  })
  expect(await readdir(set)).not.toContain('secret.key')
})

/** Writes a backup in the format of earlier versions: the cluster first, then its key, and no hashes in its index. */
async function writeOldBackup(path: string): Promise<void> {
  const entries: (Omit<TarEntry, 'data'> & { bytes: Buffer })[] = []
  for await (const { data: chunks, ...head } of readTar(
    createReadStream(file).pipe(createGunzip()),
  )) {
    const parts: Buffer[] = []
    for await (const chunk of chunks) parts.push(chunk)
    entries.push({ ...head, bytes: Buffer.concat(parts) })
  }
  const isCluster = ({ path: name }: { path: string }) => /^postgres(\/|$)/.test(name)
  const bytes = Buffer.from(secretKey)
  const ordered = [
    ...entries.filter(isCluster),
    ...entries.filter((entry) => !isCluster(entry) && entry.path !== INDEX),
    { path: 'secret.key', kind: 'file' as const, size: bytes.length, mode: 0o600, bytes },
  ]
  async function* old(): AsyncGenerator<TarEntry> {
    for (const { bytes: held, ...head } of ordered) yield { ...head, data: Readable.from([held]) }
  }
  const header = { florin: '0.1.0', made_at: made.made_at }
  await pipeline(
    writeArchive(old(), async () => header),
    createGzip({ level: 1 }),
    createWriteStream(path),
  )
}

it('restores a backup that contains its key, and refuses the key of another one', {
  timeout: RESTORE_TIMEOUT_MS,
}, async () => {
  const oldBackup = join(parent, 'old.tar.gz')
  await writeOldBackup(oldBackup)
  const folder = await newFolder('from old')
  const withPepper = { ...options, keyPaths: { 'pepper.key': join(data, 'pepper.key') } }
  expect(await restore(oldBackup, withPepper)).toMatchObject({
    payments: 1,
    contained_key: true,
    keys: ['the backup', join(data, 'pepper.key')],
  })
  expect(await readFile(join(folder, 'secret.key'), 'utf8')).toBe(secretKey)

  // A key in a setting is used, and stays out of files. The backup still contains its own.
  const set = await newFolder('from old, with settings')
  vi.stubEnv('FLORIN_SECRET_KEY', secretKey.trim())
  vi.stubEnv('FLORIN_PEPPER', pepper.trim())
  expect(await restore(oldBackup, options)).toMatchObject({
    contained_key: true,
    keys: ['FLORIN_SECRET_KEY', 'FLORIN_PEPPER'],
  })
  expect(await readdir(set)).not.toContain('secret.key')
  vi.unstubAllEnvs()

  await newFolder('of another', { 'secret.key': newKey() })
  await expect(restore(oldBackup, withPepper)).rejects.toThrow(
    'already has secret.key. Use --replace',
  )
  // The index has no hash of the key, but the database has.
  vi.stubEnv('FLORIN_SECRET_KEY', newKey().trim())
  vi.stubEnv('FLORIN_PEPPER', pepper.trim())
  await expect(restore(oldBackup, { ...options, keyPaths: {}, replace: true })).rejects.toThrow(
    'The secrets in this database are encrypted with another key.',
  )
})
