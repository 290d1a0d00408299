import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { swap } from '../src/backup/swap.ts'

const names = ['postgres', 'secret.key', 'demo.json']
let to: string
let from: string
let oldFolder: string
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'florin-swap-'))
  from = join(to, 'restoring')
  oldFolder = join(to, 'before')
  for (const [folder, text] of [
    [to, 'old'],
    [from, 'new'],
  ] as const) {
    await mkdir(join(folder, 'postgres'), { recursive: true })
    await writeFile(join(folder, 'postgres/PG_VERSION'), text)
    await writeFile(join(folder, 'secret.key'), text)
  }
  await writeFile(join(to, 'demo.json'), 'old')
})
afterEach(() => rm(to, { recursive: true }))

const contents = (folder: string) =>
  Promise.all(
    ['postgres/PG_VERSION', 'secret.key'].map((name) => readFile(join(folder, name), 'utf8')),
  )

it('replaces the files and keeps all old ones', async () => {
  await swap({ names, from, to, oldFolder })
  expect(await contents(to)).toEqual(['new', 'new'])
  expect(await contents(oldFolder)).toEqual(['old', 'old'])
  // Files that only the old folder had are moved too.
  expect((await readdir(to)).sort()).toEqual(['before', 'postgres', 'restoring', 'secret.key'])
})

it('undoes all moves when one fails', async () => {
  // Without `oldFolder`, moving `postgres`, which comes last, fails because its target exists.
  await rm(join(to, 'secret.key'))
  await expect(swap({ names, from, to, oldFolder: null })).rejects.toMatchObject({
    code: 'ENOTEMPTY',
  })
  expect(await contents(from)).toEqual(['new', 'new'])
  expect((await readdir(to)).sort()).toEqual(['demo.json', 'postgres', 'restoring'])
  expect(await readFile(join(to, 'postgres/PG_VERSION'), 'utf8')).toBe('old')
})
