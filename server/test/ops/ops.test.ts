import { STATUSES } from '@florin/contract/values.js'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEEP_MAILS_MS } from '../../src/core/mail.ts'
import type { PaymentKey, Status } from '../../src/core/payment.ts'
import { TRANSITIONS } from '../../src/core/payment.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import type { Outbox } from '../../src/ops/events.ts'
import { sweepOverdue } from '../../src/ops/expirePayments.ts'
import { analyzeGrownTables } from '../../src/ops/statistics.ts'
import { sweepOldRows } from '../../src/ops/sweepOldRows.ts'
import { findSweepStart } from '../../src/sql/overdue.ts'
import { openNode } from '../setup/anotherNode.ts'
import { rethrow } from '../setup/rethrow.ts'
import { createEmptyDatabase } from '../setup/testDatabase.ts'
import { startTestService, type TestService } from '../setup/testService.ts'
import { zoneOfNoon } from '../setup/timeZones.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const run = (text: string, values: unknown[] = []) =>
  t.database.transaction((tx) => tx.execute(text, values))
const usageOf = async (storeId: number) =>
  (
    await t.database.query<{ used: bigint }>('select used from usage where store_id = $1', [
      storeId,
    ])
  ).map((row) => row.used)

/** The real outbox with an additional listener. */
const outboxWith = (onChanged: (keys: readonly PaymentKey[]) => void): Outbox => ({
  ...t.service.outbox,
  onCommit: (written) => {
    onChanged(written.changes.map((change) => change.payment))
    t.service.outbox.onCommit(written)
  },
})

describe('tables that have grown', () => {
  it('are analyzed, until none is left', async () => {
    const readEstimatedRows = async () => {
      const [row] = await t.database.query<{ rows: number }>(
        `select reltuples::float8 as rows from pg_class where oid = 'sign_in_guard'::regclass`,
      )
      return row!.rows
    }
    expect(await readEstimatedRows()).toBeLessThan(1)
    await run(
      `insert into sign_in_guard (subject, failures, last_at)
       select 'unknown ' || n, 1, now()
       from generate_series(1, 3000) n`,
    )
    // The server updates its statistics with a delay.
    await expect.poll(() => analyzeGrownTables(t.database)).toBeGreaterThan(0)
    expect(await readEstimatedRows()).toBe(3_000)
    await expect.poll(() => analyzeGrownTables(t.database)).toBe(0)
  })
})

describe('the expiry loop', () => {
  const AGE = `created_at = created_at - interval '3 hours', expires_at = now()`
  async function createOverdue(count: number, age: string) {
    const shop = await t.createStore({ timeZone: zoneOfNoon() })
    const created = await Promise.all(
      Array.from({ length: count }, () => t.createPayment(shop.live)),
    )
    await run(`update payment set ${AGE} - $2::interval where store_id = $1`, [
      shop.store.storeId,
      age,
    ])
    return { ...shop, ids: created.map((payment) => payment.payment_id) }
  }

  it('expires hundreds in steps, frees their usage and notifies once for each', async () => {
    const shop = await createOverdue(600, '1 second')
    const alive = await t.createPayment(shop.live)
    const steps: (readonly PaymentKey[])[] = []
    const recordStep = (changed: readonly PaymentKey[]) => void steps.push(changed)
    expect(await sweepOverdue(t.database, outboxWith(recordStep), rethrow)).toBe(600)
    expect(steps.map((keys) => keys.length)).toEqual([256, 256, 88])
    const ids = steps.flat().map((key) => key.paymentId as string)
    expect(ids.sort()).toEqual([...shop.ids].sort())
    expect(await usageOf(shop.store.storeId)).toEqual([1000n, 1000n])
    const status = await t.call('GET', `/merchant/payment/${alive.payment_id}/status`, shop.live)
    expect(status.body.data.status).toBe('pending')
    expect(await sweepOverdue(t.database, t.service.outbox, rethrow)).toBe(0)
    expect(await t.auditFindings()).toEqual([])
  })

  it('stores the time up to which it is done, for all processes', async () => {
    await sweepOverdue(t.database, t.service.outbox, rethrow)
    const node = await openNode(t)
    const { start, now } = await findSweepStart(node.service.database)
    await node.close()
    const behindMs = now.getTime() - start.getTime()
    // Behind by a margin, so that payments being created are not skipped.
    expect(behindMs).toBeGreaterThan(60_000)
    expect(behindMs).toBeLessThan(10 * 60_000)
  })

  it('stays 90 seconds behind an open transaction, whose COMMIT may wait for a standby', async () => {
    const client = new pg.Client({ connectionString: t.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query('select pg_current_xact_id()')
    await client.query('select pg_sleep(0.01)')
    await sweepOverdue(t.database, t.service.outbox, rethrow)
    const { rows } = await client.query(
      `select done_until <= now() - interval '90 seconds' as is_behind from sweep where name = 'expiry'`,
    )
    await client.end()
    expect(rows).toEqual([{ is_behind: true }])
  })

  it('ends if none of hundreds of payments with the same expiry can be expired', async () => {
    const failing = await createOverdue(300, '1 second')
    const working = await createOverdue(2, '0.5 seconds')
    await run(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    )
    await run(
      `create trigger refuse before update on payment for each row
       when (old.store_id = ${failing.store.storeId}) execute function refuse()`,
    )
    const failed = new Set<number>()
    const onFailure = (storeId: number) => void failed.add(storeId)
    expect(await sweepOverdue(t.database, t.service.outbox, onFailure)).toBe(2)
    expect([...failed]).toEqual([failing.store.storeId])
    expect(await usageOf(working.store.storeId)).toEqual([0n, 0n])
    await run('drop trigger refuse on payment')
    await run('drop function refuse')
    expect(await sweepOverdue(t.database, t.service.outbox, rethrow)).toBe(300)
  })

  it('catches up after hours of downtime', async () => {
    await run(`update sweep set done_until = now() - interval '3 hours'`)
    const shop = await createOverdue(3, '2 hours')
    expect(await sweepOverdue(t.database, t.service.outbox, rethrow)).toBe(3)
    expect(await usageOf(shop.store.storeId)).toEqual([0n, 0n])
  })

  it('expires each payment once, even if three loops run concurrently', async () => {
    await createOverdue(300, '1 second')
    const notified: PaymentKey[] = []
    const totals = await Promise.all(
      [1, 2, 3].map(() =>
        sweepOverdue(
          t.database,
          outboxWith((keys) => void notified.push(...keys)),
          rethrow,
        ),
      ),
    )
    expect(totals.reduce((sum, total) => sum + total)).toBe(300)
    expect(new Set(notified.map((key) => key.paymentId)).size).toBe(300)
    expect(notified).toHaveLength(300)
  })

  it('is not needed for correct responses', async () => {
    const shop = await createOverdue(1, '1 second')
    const [id] = shop.ids
    const wallet = await t.createWallet({ balance: '100.00' })
    const readDetails = async () =>
      (await t.call('GET', `/merchant/payment/${id}`, shop.live)).body.data
    const list = await t.call('GET', '/merchant/payments?status=pending', shop.live)
    expect(list.body.data.payments).toEqual([])
    const { status, qr_code } = await readDetails()
    expect(status).toBe('expired')
    const paid = await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers)
    expect(paid.status).toBe(410)
    expect(await usageOf(shop.store.storeId)).toEqual([0n, 0n])
  })
})

it('the sweep deletes only old rows', async () => {
  const hours = (count: number) => `now() - interval '${count} hours'`
  const bytes = `encode(token_hash, 'escape')`
  const keyColumns = '(store_id, mode, key, fingerprint, answer, created_at)'
  const tables = [
    ['idempotency', keyColumns, `1, 'live', '%', '', ''`, 'key', 24],
    [
      'wallet_idempotency',
      keyColumns.replace('store_id, mode', 'wallet_id'),
      `1, '%', '', ''`,
      'key',
      24,
    ],
    [
      'wallet_session',
      '(wallet_id, created_at, token_hash, expires_at)',
      `1, now(), '%'`,
      bytes,
      0,
    ],
    ['sign_in_guard', '(subject, failures, last_at)', `'%', 7`, 'subject', 48],
    ['wallet_failure', '(wallet_id, payment_id, at)', `1, '%'`, 'payment_id', 1],
  ] as const
  for (const [table, columns, values, , age] of tables) {
    for (const [key, at] of [
      ['old-1', hours(age + 0.1)],
      ['old-2', hours(age + 9)],
      ['fresh', hours(age - 0.1)],
    ] as const) {
      await run(`insert into ${table} ${columns} values (${values.replace('%', key)}, ${at})`)
    }
  }
  // Emails that wait while mail is turned off. An awaited one is due a day before it is written.
  await run(`insert into mail (mail_id, recipient, template, locale, content, created_at, due_at)
    values ('old', 'a@b.example', 'receipt', 'en', '', now() - interval '31 days', now() - interval '31 days'),
      ('retried', 'a@b.example', 'receipt', 'en', '', now() - interval '31 days', now() - interval '29 days'),
      ('awaited', 'a@b.example', 'test', 'en', '', now() - interval '29.5 days', now() - interval '30.5 days')`)
  // More rows of one kind than fit in a step.
  await run(`insert into idempotency
    select 1, 'live', 'old-' || n, '', '', now() - interval '2 days' from generate_series(3, 1202) n`)
  const idempotencyTtlMs = 24 * 3_600_000
  expect(await sweepOldRows(t.database, { idempotencyTtlMs, keepMailsMs: KEEP_MAILS_MS })).toBe(
    1211,
  )
  for (const [table, , , key] of tables) {
    const left = await t.database.query<{ key: string }>(
      `select ${key} as key from ${table} where ${key} like 'old-%' or ${key} = 'fresh'`,
    )
    expect([table, left]).toEqual([table, [{ key: 'fresh' }]])
  }
  const mails = await t.database.query('select mail_id as id from mail order by mail_id')
  expect(mails).toEqual([{ id: 'awaited' }, { id: 'retried' }])
  expect(await sweepOldRows(t.database, { idempotencyTtlMs, keepMailsMs: KEEP_MAILS_MS })).toBe(0)
})

describe('statuses', () => {
  it('are the same in the code and in the database', async () => {
    const rows = await t.database.query<{ text: string }>(
      `select pg_get_constraintdef(oid) as text
       from pg_constraint
       where conrelid = 'payment'::regclass and conname = 'payment_status_check'`,
    )
    const allowed = [...rows[0]!.text.matchAll(/'([a-z]+)'::text/g)].map((match) => match[1])
    expect(allowed.sort()).toEqual([...STATUSES].sort())
    expect(Object.keys(TRANSITIONS).sort()).toEqual([...STATUSES].sort())
  })

  it('change as TRANSITIONS says: every listed transition works, every other is refused', async () => {
    const shop = await t.createStore()
    await t.fund(shop.store, 'sandbox', '10000.00')
    const rich = await t.createWallet({ mode: 'sandbox', balance: '10000.00' })
    const other = await t.createWallet({ mode: 'sandbox', balance: '10000.00' })
    const post = (url: string, headers = shop.sandbox, body?: unknown) =>
      t.call('POST', url, headers, body)
    type Created = { payment_id: string; qr_code: string }
    const sandboxPay = (payment: Created, body?: unknown) =>
      post(`/sandbox/payment/${payment.payment_id}/pay`, shop.sandbox, body)
    const actions: Record<string, (payment: Created) => Promise<unknown>> = {
      pay: (payment) => post(`/wallet/payment/${payment.qr_code}/pay`, rich.headers),
      payByAnother: (payment) => post(`/wallet/payment/${payment.qr_code}/pay`, other.headers),
      sandboxPay: (payment) => sandboxPay(payment),
      sandboxFail: (payment) => sandboxPay(payment, { outcome: 'insufficient_balance' }),
      sandboxError: (payment) => sandboxPay(payment, { outcome: 'error' }),
      sandboxExpire: (payment) => post(`/sandbox/payment/${payment.payment_id}/expire`),
      expire: (payment) => post(`/merchant/payment/${payment.payment_id}/expire`),
      refund: (payment) => post(`/merchant/payment/${payment.payment_id}/refund`),
      sweep: () => sweepOverdue(t.database, t.service.outbox, rethrow),
      timePasses: async (payment) => {
        await t.makeOverdue(payment.payment_id)
        await sweepOverdue(t.database, t.service.outbox, rethrow)
      },
    }
    const paths: Record<Status, (keyof typeof actions)[]> = {
      pending: [],
      completed: ['pay'],
      failed: ['sandboxFail'],
      refunded: ['pay', 'refund'],
      expired: ['expire'],
    }
    const read = async (payment: Created): Promise<Status> =>
      (await t.call('GET', `/merchant/payment/${payment.payment_id}/status`, shop.sandbox)).body
        .data.status
    const reached = Object.fromEntries(STATUSES.map((status) => [status, new Set<Status>()]))
    for (const from of STATUSES) {
      for (const [name, action] of Object.entries(actions)) {
        const payment = await t.createPayment(shop.sandbox)
        for (const step of paths[from]) await actions[step]!(payment)
        expect([name, await read(payment)]).toEqual([name, from])
        await action(payment)
        const to = await read(payment)
        if (to !== from) reached[from]!.add(to)
      }
      expect([from, [...reached[from]!].sort()]).toEqual([from, [...TRANSITIONS[from]].sort()])
    }
    expect(await t.auditFindings()).toEqual([])
  })
})

describe('migrations', () => {
  async function withEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
    const { url, drop } = await createEmptyDatabase()
    try {
      await work(url)
    } finally {
      await drop()
    }
  }
  async function query(url: string, text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  it('are applied once if five processes start concurrently on an empty database', () =>
    withEmptyDatabase(async (url) => {
      await Promise.all([1, 2, 3, 4, 5].map(() => migrate(url)))
      const known = (await readMigrations()).map(({ name, checksum }) => ({ name, checksum }))
      const applied = 'select name, checksum from schema_migration order by name'
      expect(await query(url, applied)).toEqual(known)
      await migrate(url)
      expect(await query(url, applied)).toEqual(known)
    }))

  it('that were edited or are unknown prevent the start', () =>
    withEmptyDatabase(async (url) => {
      await migrate(url)
      const [first] = await readMigrations()
      await query(
        url,
        `update schema_migration set checksum = 'other' where name = '${first!.name}'`,
      )
      await expect(migrate(url)).rejects.toThrow(`${first!.name} was changed`)
      await query(
        url,
        `update schema_migration set checksum = '${first!.checksum}' where name = '${first!.name}'`,
      )
      await query(url, `insert into schema_migration (name, checksum) values ('999_new.sql', 'x')`)
      await expect(migrate(url)).rejects.toThrow('999_new.sql')
    }))
})
