import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { withShop } from '../../server/test/setup/withShop.ts'
import { backup } from '../src/backup/backup.ts'
import { restore } from '../src/backup/restore.ts'

let parent: string
let data: string
let archive: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-archive-'))
  data = join(parent, 'data')
  // Contains characters that a shell and PostgreSQL would interpret.
  archive = join(parent, `the 100% archive's`)
  await mkdir(data, { mode: 0o700 })
  const pepper = randomBytes(32).toString('base64')
  await writeFile(join(data, 'pepper.key'), `${pepper}\n`, { mode: 0o600 })
  vi.stubEnv('FLORIN_DATA', data)
  vi.stubEnv('FLORIN_ARCHIVE', archive)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(parent, { recursive: true, force: true })
})

it('florin restore replays the archive to a moment after the backup, and continues from there', {
  timeout: 180_000,
}, async () => {
  const file = join(parent, 'base.tar.gz')
  const noted = await withShop(process.env, async (shop) => {
    await shop.pay('before the backup')
    await backup(file)
    await shop.pay('after the backup')
    const at = await shop.moment()
    await shop.pay('too late')
    return at
  })
  await rename(data, `${data}-old`)

  const keyPaths = {
    'secret.key': join(`${data}-old`, 'secret.key'),
    'pepper.key': join(`${data}-old`, 'pepper.key'),
  }
  const options = { replace: false, until: noted, keyPaths }
  // A restored copy must not write into the archive of the original.
  vi.stubEnv('FLORIN_DATA', join(parent, 'drill'))
  const before = (await readdir(archive)).sort()
  expect(await restore(file, options)).toMatchObject({ payments: 2, may_archive: false })
  await expect(withShop(process.env, async () => {})).rejects.toThrow('belongs to another data')
  expect((await readdir(archive)).sort()).toEqual(before)

  vi.stubEnv('FLORIN_DATA', data)
  const restored = await restore(file, { ...options, takesArchive: true })
  expect(restored).toMatchObject({ payments: 2, kept_aside: null, may_archive: true })
  expect(restored.until! > restored.made_at && new Date(restored.until!) <= noted).toBe(true)
  await withShop(process.env, async (shop) => {
    expect(await shop.paid()).toEqual(['before the backup', 'after the backup'])
    await shop.pay('in the new history')
  })
  const archived = await readdir(archive)
  expect(archived).toContain('00000002.history.gz')
  expect(archived.filter((name) => !name.endsWith('.gz'))).toEqual(['owner'])
  // The replaced data no longer owns the archive.
  vi.stubEnv('FLORIN_DATA', `${data}-old`)
  await expect(withShop(process.env, async () => {})).rejects.toThrow('belongs to another data')
})
