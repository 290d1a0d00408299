import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNextKey } from '../../src/keyFiles.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-key-files-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

const newKey = () => `${randomBytes(32).toString('base64')}\n`
const write = (name: string, text: string) => writeFile(join(folder, name), text)
const read = (name: string) => readFile(join(folder, name), 'utf8')

it('uses the next key if the old one is lost', async () => {
  const next = newKey()
  await write('secret.key.next', next)
  expect(await useNextKey(folder)).toBe(null)
  expect(await readdir(folder)).toEqual(['secret.key'])
  expect(await read('secret.key')).toBe(next)
})

it('two processes in the same second use the next key once, and keep the old one once', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-31T14:04:00Z') })
  const [old, next] = [newKey(), newKey()]
  await write('secret.key', old)
  await write('secret.key.next', next)
  const both = Promise.all([useNextKey(folder), useNextKey(folder)])
  const oldName = 'secret.key.until-20260131T140400Z'
  await expect.poll(() => readdir(folder)).toContain(oldName)
  vi.setSystemTime(Date.parse('2026-01-31T14:04:01Z'))
  expect((await both).filter((path) => path !== null)).toEqual([join(folder, oldName)])
  expect((await readdir(folder)).sort()).toEqual(['secret.key', oldName])
  expect([await read('secret.key'), await read(oldName)]).toEqual([next, old])
})
