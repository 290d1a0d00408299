import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '../../server/src/database/database.ts'
import { sealAuditLog } from '../../server/src/ops/auditChain.ts'
import { listLedgerAudits } from '../../server/src/sql/ledgerAudits.ts'
import { withService } from '../src/local.ts'
import { setUpInstallation } from './installation.ts'
import { run } from './run.ts'

const { settings, florin, json, sql } = setUpInstallation()
beforeAll(async () => {
  await florin('stores', 'create', '--name', 'Tea', '--currency', 'EUR')
  await florin('stores', 'fund', '1', '100', '--mode', 'live')
})

async function withDatabase<Result>(work: (database: Database) => Promise<Result>) {
  const database = openDatabase({ url: settings().DATABASE_URL, poolSize: 1, poolTimeoutMs: 5_000 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Seals the audit log as the service does. */
async function seal(): Promise<void> {
  const secretKey = Buffer.from(
    await readFile(join(settings().FLORIN_DATA, 'secret.key'), 'utf8'),
    'base64',
  )
  await withDatabase((database) => sealAuditLog(database, secretKey))
}

it.each([
  { processes: '1', pool: '', expected: 10 },
  { processes: '16', pool: '', expected: 10 },
  { processes: '32', pool: '', expected: 2 },
  { processes: '16', pool: '3', expected: 3 },
])(
  'a command with FLORIN_PROCESSES $processes and FLORIN_POOL_SIZE $pool uses $expected connections',
  async ({ processes, pool, expected }) => {
    const env = { ...settings(), FLORIN_PROCESSES: processes, FLORIN_POOL_SIZE: pool }
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    try {
      const size = await withService(async ({ service }) => service.database.pool.options.max)
      expect(size).toBe(expected)
    } finally {
      vi.unstubAllEnvs()
    }
  },
)

it('audits: exit code 0 without errors, 1 with the location of each error', async () => {
  const sound = await florin('audit')
  expect(sound.code).toBe(0)
  expect(sound.stdout).toContain('The ledger has no errors.')
  expect(sound.stdout).toMatch(
    /The audit log is complete and unchanged: 0 entries are sealed, \d+ are not sealed yet\.\n$/,
  )

  // Complete days are sealed. Later audits check some of them again, or all.
  await sql(`update transfer set at = at - interval '2 days'`)
  await sql(`update wallet_transfer set at = at - interval '2 days'`)
  await sql(`update event set created_at = created_at - interval '2 days'`)
  await sql(`update payment set created_at = created_at - interval '2 days',
    expires_at = expires_at - interval '2 days', settled_at = settled_at - interval '2 days',
    refunded_at = refunded_at - interval '2 days'`)
  await sql(
    `insert into event (store_id, payment_id, sequence, mode, type, created_at)
     select store_id, payment_id, 1, mode, 'payment.expired', expires_at
     from payment
     where status = 'pending'`,
  )
  await sql(
    `update payment set status = 'expired', settled_at = expires_at where status = 'pending'`,
  )
  const sealing = await florin('audit')
  // All rows are of one day, or of two if the test began before midnight.
  const days = /\nSealed ([12]) days?, until 20.* 00:00 UTC\.\n/.exec(sealing.stdout)![1]
  expect((await florin('audit')).stdout).toMatch(
    new RegExp(
      `\nEarlier audits have sealed ${days} days?\\. ${days} of them were checked again, so a change inside one of ` +
        'them is found with a probability of 100\\.0%, and of 100\\.0% within 30 audits\\.\n',
    ),
  )
  const full = await florin('audit', '--full')
  expect(full.stdout).toMatch(/\nAll sealed days were checked again: [12]\.\n/)
  const { seals, clean } = await json('audit', '--reseal')
  expect({ seals, clean }).toMatchObject({
    seals: { days: 0, new_days: Number(days) },
    clean: true,
  })

  await sql(`update store_balance set balance = balance + 1 where mode = 'live'`)
  const broken = await run(settings(), 'audit')
  expect(broken.code).toBe(1)
  expect(broken.stdout).toContain('store 1 live: expected 10000, found 10001')
  expect(broken.stdout).toContain('The ledger has errors:')
  expect((await json('audit')).clean).toBe(false)

  // The operator console lists these audits, the newest first.
  const audits = await withDatabase((database) =>
    listLedgerAudits(database, { before: null, limit: 10 }),
  )
  expect(audits.map(({ isFull, findings }) => [isFull, findings!.length])).toEqual([
    [false, 1],
    [false, 1],
    [true, 0],
    [true, 0],
    [false, 0],
    [false, 0],
    [false, 0],
  ])
  expect(audits[0]).toMatchObject({
    startedBy: `${userInfo().username} (command line)`,
    finishedAt: expect.any(Date),
    findings: [{ subject: 'store 1 live', expected: '10000', found: '10001' }],
  })
})

it('audits the audit log: names the first wrong entry, and compares the head that was noted', async () => {
  await seal()
  const { audit_log: sealed } = await json('audit')
  expect(sealed).toEqual({ sealed: expect.any(Number), unsealed: 0, head: expect.any(String) })
  expect((await florin('audit', '--head', sealed.head)).stdout).toContain(
    `Note the head of the audit log elsewhere: ${sealed.head}\n`,
  )
  const wrong = await florin('audit', '--head', '7')
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toBe(
    '--head must be the position and the hash that an earlier audit printed.\n',
  )
  await sql(
    `update audit_log set actor = 'x' where entry_id = (select min(entry_id) from audit_log)`,
  )
  const changed = await florin('audit', '--head', `9999:${'0'.repeat(64)}`)
  expect(changed.code).toBe(1)
  expect(changed.stdout).toMatch(
    /The audit log was tampered with\. The first finding is entry \d+ /,
  )
  expect(changed.stdout).toContain(`head 9999: expected ${'0'.repeat(64)}, found `)
})
