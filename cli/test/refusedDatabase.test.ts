import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { setUpInstallation } from './installation.ts'
import { runHere } from './run.ts'

const { settings, sql } = setUpInstallation()

const NO_SETTINGS =
  'the settings of the session have no effect. Connect to PostgreSQL directly instead of through a pooler, and remove "options" from the URL'

async function findingOf(env: Record<string, string>, check: string) {
  const { stdout } = await runHere(env, 'doctor', '--json')
  const { findings } = JSON.parse(stdout) as { findings: { check: string }[] }
  return findings.find((finding) => finding.check === check)
}

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
