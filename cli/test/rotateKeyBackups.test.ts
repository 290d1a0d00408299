import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { withShop } from '../../server/test/setup/withShop.ts'
import { backup } from '../src/backup/backup.ts'
import { restore } from '../src/backup/restore.ts'
import { run } from './run.ts'

let parent: string
let data: string
let env: Record<string, string>
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-rotate-'))
  data = join(parent, 'data')
  await mkdir(data, { mode: 0o700 })
  await writeFile(join(data, 'pepper.key'), `${randomBytes(32).toString('base64')}\n`)
  env = { FLORIN_DATA: data, FLORIN_ARCHIVE: join(parent, 'log') }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(parent, { recursive: true, force: true })
})

it('a backup from before florin rotate-key needs the old key, and the log since then the new one', {
  timeout: 360_000,
}, async () => {
  const file = join(parent, 'old.tar.gz')
  const moment = await withShop(process.env, async (shop) => {
    await shop.pay('before')
    await backup(file)
    const rotating = await run(env, 'rotate-key')
    expect([rotating.code, rotating.stderr]).toEqual([
      1,
      expect.stringContaining('Florin is running.'),
    ])
    return shop.moment()
  })
  const rotated = await run(env, 'rotate-key', '--json')
  expect(rotated).toMatchObject({ code: 0, stderr: '' })
  const { old_key } = JSON.parse(rotated.stdout)
  const newKey = await readFile(join(data, 'secret.key'), 'utf8')
  await withShop(process.env, (shop) => shop.pay('after'))

  const keyPaths = { 'secret.key': old_key }
  await expect(restore(file, { replace: true, until: null })).rejects.toThrow(
    'secret.key is not the key of this backup',
  )
  expect(await restore(file, { replace: true, until: 'latest' })).toMatchObject({ payments: 2 })
  expect(await readFile(join(data, 'secret.key'), 'utf8')).toBe(newKey)
  await withShop(process.env, async (shop) => {
    expect(await shop.paid()).toEqual(['before', 'after'])
  })
  expect(await restore(file, { replace: true, until: moment, keyPaths })).toMatchObject({
    payments: 1,
  })
  expect(await readFile(join(data, 'secret.key'), 'utf8')).not.toBe(newKey)
})

it('a backup after an interrupted florin rotate-key can be restored with the new key', {
  timeout: 360_000,
}, async () => {
  const secretKey = join(data, 'secret.key')
  const { old_key } = JSON.parse((await run(env, 'rotate-key', '--json')).stdout)
  const newKey = await readFile(secretKey, 'utf8')
  // As if it had been killed between the commit and the rename.
  await rename(secretKey, `${secretKey}.next`)
  await rename(old_key, secretKey)
  const file = join(parent, 'interrupted.tar.gz')
  await backup(file)
  await withShop(process.env, (shop) => shop.pay('later'))
  expect(await readFile(secretKey, 'utf8')).toBe(newKey)
  expect(await restore(file, { replace: true, until: null })).toMatchObject({ folder: data })
})
