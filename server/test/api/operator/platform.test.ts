import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sweepOldRows } from '../../../src/ops/sweepOldRows.ts'
import { LATENCY_BUCKETS_MS } from '../../../src/platform/load.ts'
import { setAuditProgress } from '../../../src/sql/ledgerAudits.ts'
import { openNode } from '../../setup/anotherNode.ts'
import { pay } from '../../setup/merchantCalls.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const read = async (path: string) =>
  (await t.call('GET', `/operator/${path}`, t.operator)).body.data
const change = (sql: string) => t.database.transaction((tx) => tx.execute(sql))

it('platform balances are summed by mode and currency, and add up to zero', async () => {
  const { store, live } = await t.createStore({ feeBps: 100 })
  await t.fund(store, 'live', '5.00')
  const { headers } = await t.createWallet({ balance: '100.00' })
  const { qr_code } = await t.createPayment(live, { amount: 20 })
  await t.call('POST', `/wallet/payment/${qr_code}/pay`, headers, { donation_amount: 1 })
  const { balances } = await read('balances')
  expect(balances.find((balance: { mode: string }) => balance.mode === 'live')).toEqual({
    mode: 'live',
    currency: 'USD',
    stores: '24.80',
    wallets: '79.00',
    fees: '0.20',
    gifts: '1.00',
    external: '-105.00',
  })
})

describe('nodes', () => {
  it('report their state, request rate and latency, until they stop or have been silent for a day', async () => {
    const node = await openNode(t)
    t.service.load.take()
    for (let n = 0; n < 8; n++) await t.call('GET', '/health')
    await t.service.node.report()
    await node.service.node.report()
    const { nodes } = await read('nodes')
    expect(nodes).toHaveLength(2)
    const ownNode = nodes.find(
      ({ node_id }: { node_id: string }) => node_id === t.service.node.nodeId,
    )
    expect(ownNode).toMatchObject({ pid: process.pid, state: 'ready', faults_per_second: 0 })
    expect(ownNode.requests_per_second).toBeGreaterThan(0)
    expect(ownNode.p95_ms).toBeGreaterThan(0)

    // A stopped node is removed. A crashed one becomes silent, and is removed after a day.
    await node.service.node.remove()
    expect((await read('nodes')).nodes).toHaveLength(1)
    await change(`update node set seen_at = now() - interval '1 minute'`)
    expect((await read('nodes')).nodes).toMatchObject([{ state: 'silent' }])
    await change(`update node set seen_at = now() - interval '2 days'`)
    await sweepOldRows(t.database, { idempotencyTtlMs: 86_400_000, keepMailsMs: 86_400_000 })
    expect((await read('nodes')).nodes).toEqual([])
    await node.close()
  })

  it('have the request rate of the last minute, also if it spans two minutes of the clock', async () => {
    await t.service.node.report()
    await change('delete from node_sample')
    const { nodeId } = t.service.node
    const counts = `{${[...LATENCY_BUCKETS_MS, Infinity].map((ms) => (ms === 1 ? 100 : 0))}}`
    // These samples are in two minutes of the clock, except in the first and the last second of a minute.
    await change(
      `insert into node_sample (at, node_id, seconds, answers, faults, within)
       values (now() - interval '1 second', '${nodeId}', 10, 100, 10, '${counts}'),
         (now() - interval '59 seconds', '${nodeId}', 10, 100, 10, '${counts}')`,
    )
    const ownNode = (await read('nodes')).nodes.find(
      ({ node_id }: { node_id: string }) => node_id === nodeId,
    )
    expect(ownNode).toMatchObject({ requests_per_second: 10, faults_per_second: 1 })
  })

  it('count a list of events as load, but neither a readiness check nor a request that waits for a change', async () => {
    const { live } = await t.createStore()
    const { payment_id, qr_code } = await t.createPayment(live, { amount: 20 })
    await pay(t, await t.createWallet({ balance: '100.00' }), qr_code)
    t.service.load.take()
    await t.call('GET', '/merchant/events', live)
    await t.call('GET', '/ready')
    await t.call('GET', `/merchant/payment/${payment_id}/status?wait=1`, live)
    expect(t.service.load.take().responses).toBe(1)
  })

  it('have the load of the last hour summed by minute, with the latency of all responses, and keep a day of it', async () => {
    await change('delete from node_sample')
    const bucketCounts = (counts: Record<number, number>) =>
      `{${[...LATENCY_BUCKETS_MS, Infinity].map((ms) => counts[ms] ?? 0)}}`
    const minute = `date_trunc('minute', now()) - interval '10 minutes'`
    await change(
      `insert into node_sample (at, node_id, seconds, answers, faults, within)
       values (${minute}, 'a', 10, 90, 0, '${bucketCounts({ 1: 50, 5: 40 })}'),
         (${minute} + interval '10 seconds', 'a', 10, 10, 1, '${bucketCounts({ 100: 10 })}'),
         (${minute}, 'b', 20, 100, 0, '${bucketCounts({ 2: 99, 5000: 1 })}'),
         (now() - interval '2 hours', 'b', 20, 100, 0, '${bucketCounts({ 1: 100 })}'),
         (now() - interval '2 days', 'b', 20, 100, 0, '${bucketCounts({ 1: 100 })}')`,
    )
    const { minutes } = await read('load')
    expect(minutes).toEqual([
      {
        at: expect.any(String),
        requests_per_second: 10,
        faults_per_second: 0.05,
        p50_ms: 2,
        p95_ms: 55,
        p99_ms: 95,
      },
    ])
    await sweepOldRows(t.database, { idempotencyTtlMs: 86_400_000, keepMailsMs: 86_400_000 })
    const rows = await t.database.query('select 1 from node_sample')
    expect(rows).toHaveLength(4)
  })
})

describe('an audit of the ledger', () => {
  const start = () => t.call('POST', '/operator/ledger-audits', t.operator)
  const readLatest = async () => (await read('ledger-audits?limit=1')).audits[0]
  const waitUntilEnded = () =>
    vi.waitFor(async () => expect((await readLatest()).state).not.toBe('running'), {
      timeout: 10_000,
      interval: 50,
    })

  it('responds immediately, runs in the background, and stores its result', async () => {
    const { body } = await start()
    expect(body.data).toMatchObject({
      state: 'running',
      checks_done: 0,
      started_by: 'test operator',
    })
    await waitUntilEnded()
    const audit = await readLatest()
    expect(audit).toMatchObject({
      audit_id: body.data.audit_id,
      state: 'sound',
      findings: [],
      checks_done: audit.checks,
      finished_at: expect.any(String),
    })
    expect(Number(audit.totals.payments)).toBeGreaterThan(0)
    const log = await read('audit-log?action=ledger.audit')
    expect(log.entries).toMatchObject([{ subject: `ledger_audit:${audit.audit_id}` }])
  })

  it('checks new rows by default, everything on request, and reports what is sealed', async () => {
    expect((await readLatest()).full).toBe(false)
    await change(
      `with t as (update transfer set at = at - interval '3 days')
       update wallet_transfer set at = at - interval '3 days'`,
    )
    await change(`update event set created_at = created_at - interval '3 days'`)
    await change(`update payment set settled_at = settled_at - interval '3 days',
      refunded_at = refunded_at - interval '3 days', created_at = created_at - interval '3 days',
      expires_at = expires_at - interval '3 days'`)
    const run = async (body?: object) => {
      const started = await t.call('POST', '/operator/ledger-audits', t.operator, body)
      expect(started.body.data.full).toBe(body !== undefined)
      await waitUntilEnded()
      return readLatest()
    }
    const first = await run()
    expect(first).toMatchObject({ state: 'sound', seals: { days: 0, chance: null } })
    const days = first.seals.new_days
    expect(days).toBeGreaterThan(0)
    const full = await run({ full: true })
    expect(full).toMatchObject({ state: 'sound', totals: first.totals })
    expect(full.seals).toEqual({
      until: first.seals.until,
      days,
      checked_again: days,
      new_days: 0,
      chance: 1,
      chance_in_30: 1,
    })
    const wrong = await t.call('POST', '/operator/ledger-audits', t.operator, { full: 'yes' })
    expect(wrong.status).toBe(400)
  })

  it('reports an error with the check that found it', async () => {
    await change('update store_balance set balance = balance + 1')
    await start()
    await waitUntilEnded()
    await change('update store_balance set balance = balance - 1')
    const { state, findings } = await readLatest()
    expect(state).toBe('unsound')
    expect(findings[0]).toMatchObject({ check: 'store balance equals its transfers' })
  })

  it('does not run twice at the same time, and a crashed audit does not block the next', async () => {
    await change(
      `insert into ledger_audit (audit_id, started_by, started_at, seen_at, checks, checks_done)
       values ('aud_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'x', now(), now(), 9, 3)`,
    )
    const again = await start()
    const running = { message: 'Audit is running', data: { checks_done: 3 } }
    expect(again.body).toMatchObject(running)
    // Add many audits by the command line that started later and have ended.
    await change(
      `insert into ledger_audit (audit_id, started_by, started_at, seen_at, finished_at, checks, totals, findings)
       select 'aud_7zzzzzzzzzzzzzzzzzzzzzzzzzz' || n, 'y', now(), now(), now(), 9, '{}', '[]'
       from generate_series(1, 50) n`,
    )
    expect((await start()).body).toMatchObject(running)
    await change(`delete from ledger_audit where started_by = 'y'`)
    // A report with a time in the future was made before the clock was set back.
    for (const age of ['-1 hour', '1 minute']) {
      await change(`update ledger_audit set seen_at = now() - interval '${age}'`)
      expect((await readLatest()).state).toBe('interrupted')
    }
    expect((await start()).body.data).toMatchObject({ state: 'running', checks_done: 0 })
    await change(`delete from ledger_audit where audit_id like 'aud_7z%'`)
    await waitUntilEnded()
  })

  it('is cancelled when its process stops', async () => {
    await t.database.transaction(async (tx) => {
      await tx.execute('lock table wallet_transfer in access exclusive mode')
      await start()
      const readWaiting = () =>
        t.database.query(`select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%wallet_transfer%'`)
      await vi.waitFor(async () => expect(await readWaiting()).toHaveLength(1), { timeout: 10_000 })
      await t.service.ledgerAudits.stop()
    })
    await change(`update ledger_audit set seen_at = now() - interval '1 minute'`)
    expect((await readLatest()).state).toBe('interrupted')
    await start()
    await waitUntilEnded()
    expect((await readLatest()).state).toBe('sound')
  })

  it('keeps its final progress if a progress report arrives late', async () => {
    const { audit_id: auditId, checks } = await readLatest()
    await t.database.transaction((tx) => setAuditProgress(tx, { auditId, checks, checksDone: 1 }))
    expect((await readLatest()).checks_done).toBe(checks)
  })

  it('is listed in pages, newest first', async () => {
    const page = (query: string) => read(`ledger-audits?limit=1${query}`)
    const first = await page('')
    const second = await page(`&cursor=${first.next_cursor}`)
    // The ids of audits are in the order of their starts.
    expect(second.audits[0].audit_id < first.audits[0].audit_id).toBe(true)
    const wrong = await t.call('GET', '/operator/ledger-audits?cursor=x', t.operator)
    expect(wrong.status).toBe(400)
  })
})

describe('a wallet that an operator locks', () => {
  it('loses its session and cannot sign in until it is unlocked, and wrong PINs do not shorten the lock', async () => {
    const profile = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone: '+447700900123' }
    const created = await t.call('POST', '/operator/wallets', t.operator, {
      ...profile,
      pin: '2468',
    })
    const url = `/operator/wallets/${created.body.data.wallet_id}`
    const signIn = (pin: string) =>
      t.call('POST', '/wallet/session', {}, { phone: profile.phone, pin })
    const { token } = (await signIn('2468')).body.data
    const locked = await t.call('POST', `${url}/lock`, t.operator)
    expect(locked.body.data.locked_until).toBe('9999-12-31 23:59:59')
    const session = await t.call('GET', '/wallet/me', { authorization: `Bearer ${token}` })
    expect(session.status).toBe(401)
    expect((await signIn('2468')).status).toBe(403)
    for (let n = 0; n < 5; n++) await signIn('1111')
    const stillLocked = await t.call('GET', url, t.operator)
    expect(stillLocked.body.data.locked_until).toBe('9999-12-31 23:59:59')
    const unlocked = await t.call('POST', `${url}/unlock`, t.operator)
    expect(unlocked.body.data.locked_until).toBeNull()
    expect((await signIn('2468')).status).toBe(200)
    const log = await read(`audit-log?subject=wallet:${created.body.data.wallet_id}`)
    expect(log.entries.slice(0, 2)).toMatchObject([
      { action: 'wallet.unlock', before: { locked_until: '9999-12-31 23:59:59' } },
      { action: 'wallet.lock', before: { locked_until: null } },
    ])
  })

  it('cannot pay a pending payment until it is unlocked', async () => {
    const { live } = await t.createStore()
    const { wallet, headers } = await t.createWallet({ balance: '50.00' })
    const { qr_code } = await t.createPayment(live)
    await change(`update wallet set locked_by_operator = true where wallet_id = ${wallet.walletId}`)
    expect((await t.call('POST', `/wallet/payment/${qr_code}/pay`, headers, {})).status).toBe(403)
    await t.call('POST', `/operator/wallets/${wallet.publicId}/unlock`, t.operator)
    expect((await pay(t, { wallet, headers }, qr_code)).status).toBe(200)
  })
})

it('a store is found by number or part of its name, and has a summary', async () => {
  const { store, live } = await t.createStore({ name: 'Übersee 100%' })
  const find = async (search: string) =>
    (await read(`stores?search=${encodeURIComponent(search)}`)).stores.map(
      ({ id }: { id: number }) => id,
    )
  expect(await find('SEE 100%')).toEqual([store.storeId])
  expect(await find(String(store.storeId))).toContain(store.storeId)
  expect(await find('nothing such')).toEqual([])
  await t.createPayment(live, { amount: 3 })
  expect(await read(`stores/${store.storeId}/standing`)).toEqual({
    pending: [{ mode: 'live', count: 1, amount: '3.00' }],
    credentials: 2,
    people: 0,
  })
})
