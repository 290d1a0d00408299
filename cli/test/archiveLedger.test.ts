import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { archiveFileName } from '../../server/src/core/ledgerArchive.ts'
import { type OldLedger, startOldLedger } from '../../server/test/setup/oldLedger.ts'
import { program, runHere } from './run.ts'

let ledger: OldLedger
let env: Record<string, string>
beforeAll(async () => {
  ledger = await startOldLedger()
  const { secretKey, pepper } = ledger.t.service
  env = {
    DATABASE_URL: ledger.t.databaseUrl,
    FLORIN_DATA: ledger.folder,
    FLORIN_SECRET_KEY: secretKey.toString('base64'),
    FLORIN_PEPPER: pepper.toString('base64'),
  }
})
afterAll(() => ledger.close())

const florin = (...args: string[]) => runHere(env, ...args)
const archive = (before: string, to = ledger.folder) => ['archive', '--before', before, '--to', to]
const countOld = async () =>
  (
    await ledger.rowsOf(
      `select count(*)::int as count from transfer where kind = 'payment' and at < '${ledger.before}'`,
    )
  )[0].count

it('refuses a wrong month, a missing folder, a file instead of a folder, and months that ended too recently', async () => {
  expect(await florin(...archive('2026-13'))).toMatchObject({
    code: 2,
    stderr: '--before must be a month, such as 2026-01.\n',
  })
  for (const folder of ['/nonexistent', '/dev/null']) {
    const { code, stderr } = await florin(...archive('2020-01', folder))
    expect([code, stderr]).toEqual([
      2,
      `The folder ${folder} does not exist or can't be written to.\n`,
    ])
  }
  for (const command of [archive('2020-01', ''), ['audit', '--archives', '']]) {
    const { code, stderr } = await florin(...command)
    expect([code, stderr]).toEqual([2, 'Name a folder: it must not be empty.\n'])
  }
  expect((await florin(...archive('2020-01'))).stdout).toBe(
    'There is nothing to archive before 2020-01.\n',
  )
  const { stdout, stderr } = await florin(...archive('2099-01'), '--json')
  expect(stdout).toBe('')
  expect(JSON.parse(stderr).message).toContain('35 days after their end')
})

it('archives nothing if the ledger has errors', async () => {
  const change = (by: string) =>
    ledger.client.query(`update store_balance set balance = balance ${by} where store_id = 1`)
  await change('+ 1')
  const { code, stderr } = await florin(...archive(ledger.before.slice(0, 7)))
  await change('- 1')
  expect([code, stderr]).toEqual([
    1,
    'The ledger has errors, so nothing was archived. See: npx florin audit\n',
  ])
  expect(await countOld()).toBeGreaterThan(0)
})

it('loses nothing if it is killed after the file has its name and before the commit', async () => {
  const { client, folder, before, month } = ledger
  const rows = await countOld()
  await client.query('begin; lock table archived_line in share row exclusive mode')
  const command = spawn(process.execPath, [program, ...archive(before.slice(0, 7))], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  const ended = once(command, 'exit')
  // On another connection: within a transaction, this view doesn't change.
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%into archived_line%'`
  await vi.waitFor(async () => expect(await ledger.t.database.query(waiting)).toHaveLength(1), {
    timeout: 30_000,
    interval: 20,
  })
  command.kill('SIGKILL')
  await ended
  await client.query('rollback')
  const name = archiveFileName(month)
  expect(await readdir(folder)).toContain(name)
  const first = await readFile(join(folder, name))
  expect(await countOld()).toBe(rows)
  // PostgreSQL needs a moment to notice that the process is gone.
  await vi.waitFor(async () => expect(await ledger.findings('all')).toEqual([]), {
    timeout: 10_000,
  })

  const { code, stdout } = await florin(...archive(before.slice(0, 7)), '--json')
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      months: [
        expect.objectContaining({ month: month.slice(0, 7), file: name, bytes: first.length }),
      ],
    },
  ])
  expect(await readFile(join(folder, name))).toEqual(first)
  expect(await countOld()).toBe(0)
  expect((await florin(...archive(before.slice(0, 7)))).stdout).toContain('nothing to archive')
})

it('audits the files, and reports a missing one', async () => {
  const { code, stdout } = await florin('audit', '--full', '--archives', ledger.folder)
  expect(code).toBe(0)
  expect(stdout).toContain('  ok    files of archived months are unchanged\n')
  const missing = await florin('audit', '--archives', '/tmp')
  expect(missing.code).toBe(1)
  expect(missing.stdout).toContain(`${archiveFileName(ledger.month)}: expected a file, found none`)
})
