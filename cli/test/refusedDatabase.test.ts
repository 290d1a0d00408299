import { randomBytes } from 'node:crypto'
import { mkdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setUpInstallation } from './installation.ts'
import { run, runHere } from './run.ts'

const { settings, sql } = setUpInstallation()

const NO_SETTINGS =
  'the settings of the session have no effect. Connect to PostgreSQL directly instead of through a pooler, and remove "options" from the URL'

async function findingsOf(env: Record<string, string>, check: string) {
  const { stdout } = await run(env, 'doctor', '--json')
  const { findings } = JSON.parse(stdout) as { findings: { check: string }[] }
  return findings.filter((finding) => finding.check === check)
}

const findingOf = async (env: Record<string, string>, check: string) =>
  (await findingsOf(env, check))[0]

it('commands and doctor say what to do about a pooler that drops the settings of the session', async () => {
  const url = new URL(settings().DATABASE_URL)
  // Options in the URL replace those of the session, so its settings have no effect, as behind a pooler.
  url.searchParams.set('options', '-c jit=off')
  const env = { ...settings(), DATABASE_URL: url.href, PORT: '0' }
  for (const command of [['stores', 'list'], ['migrate']]) {
    expect(await runHere(env, ...command)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Cannot use the database: ${NO_SETTINGS}.\n`,
    })
  }
  expect(await findingOf(env, 'database')).toEqual({
    check: 'database',
    state: 'problem',
    message: `unusable: ${NO_SETTINGS}`,
    fix: 'Check DATABASE_URL.',
  })
})

it('commands and doctor say what to do about a role without rights on the tables', async () => {
  const role = `guest_${randomBytes(4).toString('hex')}`
  const url = new URL(settings().DATABASE_URL)
  url.username = role
  url.password = 'only here'
  await sql(`create role ${role} login password 'only here'`)
  try {
    const env = { ...settings(), DATABASE_URL: url.href, PORT: '0' }
    const reason = 'permission denied for table'
    const fix = 'Make the role the owner of the tables: reassign owned by … to …'
    for (const command of [['stores', 'list'], ['migrate']]) {
      const { code, stderr } = await runHere(env, ...command)
      expect([code, stderr]).toEqual([
        1,
        `Cannot open the database: ${reason} secret_key_check. ${fix}\n`,
      ])
    }
    expect(await findingOf(env, 'database')).toEqual({
      check: 'database',
      state: 'problem',
      message: `${reason} schema_migration`,
      fix,
    })
  } finally {
    await sql(`drop role ${role}`)
  }
})

it('commands can be repeated if the database has no free connection', async () => {
  const role = `busy_${randomBytes(4).toString('hex')}`
  const url = new URL(settings().DATABASE_URL)
  url.username = role
  url.password = 'only here'
  await sql(`create role ${role} login password 'only here' connection limit 0`)
  try {
    for (const command of [['stores', 'list'], ['migrate']]) {
      expect(await runHere({ ...settings(), DATABASE_URL: url.href }, ...command)).toMatchObject({
        code: 3,
        stderr: `Cannot open the database: too many connections for role "${role}"\n`,
      })
    }
  } finally {
    await sql(`drop role ${role}`)
  }
})

it('commands and doctor say that a file or folder cannot be used', async () => {
  const folder = join(settings().FLORIN_DATA, 'x'.repeat(300))
  const env = { FLORIN_DATA: folder, PORT: '0' }
  expect(await runHere(env, 'stores', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Cannot use the folder \S+x: ENAMETOOLONG.*Check FLORIN_DATA/),
  })
  expect(await findingOf(env, 'data')).toMatchObject({
    state: 'problem',
    message: expect.stringContaining('cannot be used: ENAMETOOLONG'),
  })
  expect(await findingOf(env, 'database')).toMatchObject({
    state: 'problem',
    message: expect.stringContaining('cannot be accessed: ENAMETOOLONG'),
  })
})

it('commands and doctor report a key that cannot be read, and doctor continues', async () => {
  expect((await runHere(settings(), 'migrate')).code).toBe(0)
  const key = join(settings().FLORIN_DATA, 'secret.key')
  const env = { ...settings(), PORT: '0' }
  await rename(key, `${key}.away`)
  // The second one is read if the first is not the key of the database.
  for (const path of [key, `${key}.next`]) {
    await mkdir(path)
    try {
      const message = expect.stringContaining(`${path} cannot be read: EISDIR`)
      expect(await findingOf(env, 'secret key')).toMatchObject({ state: 'problem', message })
      expect(await findingOf(env, 'pepper')).toMatchObject({ state: 'ok' })
      expect(await findingOf(env, 'port')).toMatchObject({ state: 'ok' })
      expect(await runHere(env, 'stores', 'list')).toMatchObject({ code: 1, stderr: message })
    } finally {
      await rmdir(path)
    }
  }
  await rename(`${key}.away`, key)
})

it('commands and doctor report a read-only database', async () => {
  const name = new URL(settings().DATABASE_URL).pathname.slice(1)
  await sql(`alter database ${name} set default_transaction_read_only = on`)
  try {
    expect((await runHere(settings(), 'migrate')).code).toBe(3)
    expect(await findingsOf({ ...settings(), PORT: '0' }, 'database')).toContainEqual({
      check: 'database',
      state: 'problem',
      message: 'read only: no payment can be stored',
      fix: expect.stringContaining('default_transaction_read_only = off'),
    })
  } finally {
    await sql(
      `set transaction read write; alter database ${name} reset default_transaction_read_only`,
    )
  }
})
