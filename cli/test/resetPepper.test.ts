import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../server/src/database/database.ts'
import { setUpInstallation } from './installation.ts'
import { runHere } from './run.ts'

const { settings, florin, json } = setUpInstallation()
const reset = (...args: string[]) => florin('reset-pepper', '--discard-pins', ...args)
const file = () => join(settings().FLORIN_DATA, 'pepper.key')
const read = () => readFile(file(), 'utf8')

let first: string
let keys: { FLORIN_SECRET_KEY: string; FLORIN_PEPPER: string }
beforeAll(async () => {
  expect((await florin('migrate')).code).toBe(0)
  first = await read()
  const secretKey = await readFile(join(settings().FLORIN_DATA, 'secret.key'), 'utf8')
  keys = { FLORIN_SECRET_KEY: secretKey, FLORIN_PEPPER: first }
})

it('refuses without confirmation, and if the pepper is that of the database', async () => {
  const { code, stderr } = await florin('reset-pepper')
  expect([code, stderr]).toEqual([2, expect.stringContaining('add --discard-pins')])
  const unchanged = await reset()
  expect(unchanged).toMatchObject({ code: 1, stdout: '' })
  expect(unchanged.stderr).toContain('there is nothing to reset')
  expect(await read()).toBe(first)
})

it('changes nothing while another process of Florin runs', async () => {
  await rename(file(), `${file()}.lost`)
  const service = openDatabase({
    url: settings().DATABASE_URL,
    poolSize: 1,
    poolTimeoutMs: 5_000,
  })
  await service.query('select 1')
  expect((await reset()).stderr).toContain('Florin is running. Nothing was changed.')
  await service.close()
  expect((await readdir(settings().FLORIN_DATA)).filter((name) => /pepper/.test(name))).toEqual([
    'pepper.key.lost',
  ])
  expect((await florin('stores', 'list')).stderr).toContain('npx florin reset-pepper')
})

it('replaces a lost pepper with a new one, and records it', async () => {
  const { code, stdout } = await reset()
  expect([code, stdout]).toEqual([0, expect.stringContaining(`The new pepper is in ${file()}.`)])
  expect(await read()).not.toBe(first)
  expect((await florin('stores', 'list')).code).toBe(0)
  const { entries } = await json('audit-log', '--limit', '1')
  expect(entries).toMatchObject([{ action: 'pepper.reset', subject: 'pepper' }])
  const { events } = await json('security-events', '--kind', 'setting_changed')
  expect(events).toMatchObject([{ details: { setting: 'pepper' } }])
  const old = await runHere({ ...settings(), ...keys }, 'stores', 'list')
  expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining('another pepper') })
})

it('takes a new pepper from FLORIN_PEPPER, or the old one again', async () => {
  const peppers = [randomBytes(32).toString('base64'), first]
  for (const FLORIN_PEPPER of peppers) {
    const env = { ...settings(), ...keys, FLORIN_PEPPER }
    const { code, stdout } = await runHere(env, 'reset-pepper', '--discard-pins', '--json')
    expect([code, JSON.parse(stdout)]).toEqual([0, { pepper: 'FLORIN_PEPPER' }])
    expect((await runHere(env, 'stores', 'list')).code).toBe(0)
  }
})
