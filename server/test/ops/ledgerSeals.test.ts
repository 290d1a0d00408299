import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chanceWithin } from '../../src/core/ledgerSeal.ts'
import { SEAL_CHECK } from '../../src/ops/ledgerSeals.ts'
import {
  alignEvents,
  moveToPast,
  recountUsage,
  withRestoredTables,
} from '../setup/ledgerHistory.ts'
import { type SealedLedger, startSealedLedger } from '../setup/sealedLedger.ts'

let ledger: SealedLedger
const change = (sql: string) => ledger.client.query(sql)
const rowsOf = async (sql: string) => (await ledger.client.query(sql)).rows

beforeAll(async () => {
  ledger = await startSealedLedger()
})
afterAll(() => ledger.close())

/** A payment that was paid this many days ago. Each test needs a later day than the tests before, which seal theirs. */
async function payDaysAgo(days: number, { t, client }: SealedLedger = ledger) {
  const shop = await t.createStore()
  const wallet = await t.createWallet({ balance: '100.00' })
  const { qr_code, payment_id } = await t.createPayment(shop.live, { amount: 5 })
  await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, {})
  await moveToPast(client, days)
  return { shop, wallet, payment_id }
}

it('an audit seals complete days, per store, with their totals', async () => {
  const { first, old } = ledger
  expect(first.seals).toMatchObject({ days: 0, checkedAgain: 0 })
  const ofShop = `store_id = ${old.shop} and mode = 'live'`
  expect(
    await rowsOf(
      `select sum(payments) as payments, sum(transfers) as transfers, sum(balance) as balance,
         sum(fees) as fees, sum(gifts) as gifts
       from ledger_seal where ${ofShop}`,
    ),
  ).toEqual(
    await rowsOf(
      `select (select count(*) from payment where ${ofShop})::text as payments,
         (select count(*) from transfer where ${ofShop})::text as transfers,
         balance::text, fees::text, gifts::text
       from store_balance where ${ofShop}`,
    ),
  )
  const again = await ledger.audit('new')
  expect(again.seals).toMatchObject({ newDays: 0, days: first.seals!.newDays })
  expect(again.seals!.until).toBe(first.seals!.until)
  expect(again.totals).toEqual((await ledger.audit('all')).totals)
})

it('of two audits at once, one seals', async () => {
  await payDaysAgo(8)
  const audits = await Promise.all([ledger.audit('new'), ledger.audit('new')])
  const sealed = audits.map((audit) => audit.seals!.newDays).sort()
  expect(sealed[0]).toBe(0)
  expect(sealed[1]).toBeGreaterThan(0)
  expect(audits.flatMap((audit) => audit.checks.flatMap((check) => check.findings))).toEqual([])
  expect(await ledger.findings('all')).toEqual([])
})

it('a day with a pending payment is not sealed, nor are later ones', async () => {
  const { client } = ledger
  await payDaysAgo(6)
  const set = async (sql: string) => {
    await change(sql)
    await alignEvents(client)
    await recountUsage(client)
  }
  // An unpaid payment that no loop has expired yet.
  const { shop } = await payDaysAgo(5)
  const { payment_id: unpaid } = await ledger.t.createPayment(shop.live)
  await moveToPast(client, 6)
  await set(
    `update payment set status = 'pending', settled_at = null where payment_id = '${unpaid}'`,
  )
  const blocked = await ledger.audit('new')
  expect(blocked.checks.flatMap((check) => check.findings)).toEqual([])
  expect(blocked.seals!.newDays).toBe(0)
  await set(
    `update payment set status = 'expired', settled_at = expires_at where payment_id = '${unpaid}'`,
  )
  const sealed = await ledger.audit('new')
  expect(sealed.seals!.newDays).toBeGreaterThanOrEqual(2)
  expect(await ledger.findings('all')).toEqual([])
})

it('a payment that was paid on a sealed day and expires later is compared again', async () => {
  const ledgerOfTest = await startSealedLedger()
  const { shop, payment_id: paid } = await payDaysAgo(4, ledgerOfTest)
  const { payment_id: unpaid } = await ledgerOfTest.t.createPayment(shop.live)
  await moveToPast(ledgerOfTest.client, 3)
  const set = (values: string, ...ids: string[]) =>
    ledgerOfTest.client.query(`update payment set ${values} where payment_id = any($1)`, [ids])
  // The pending one prevents the next day from being sealed.
  const { rows } = await ledgerOfTest.client.query<{ end: string }>(
    `select (date_trunc('day', settled_at, 'UTC') + interval '1 day 1 minute')::text as end
     from payment where payment_id = '${paid}'`,
  )
  await set(`expires_at = '${rows[0]!.end}'`, paid, unpaid)
  await set(`status = 'pending', settled_at = null`, unpaid)
  await alignEvents(ledgerOfTest.client)
  await recountUsage(ledgerOfTest.client)
  expect((await ledgerOfTest.audit('new')).seals!.newDays).toBe(1)
  await set('fee = fee + 1', paid)
  expect(await ledgerOfTest.findings('new')).toMatchObject([{ subject: `fee of payment ${paid}` }])
  await set('fee = fee - 1', paid)
  expect(await ledgerOfTest.findings('new')).toEqual([])
  await ledgerOfTest.close()
})

it('an audit looks for open transactions before it takes its snapshot', async () => {
  const { t } = ledger
  const sent: string[] = []
  const { transaction } = t.database
  vi.spyOn(t.database, 'transaction').mockImplementation((work, limits) =>
    transaction((tx) => {
      const query: typeof tx.query = (text, values) => {
        sent.push(text)
        return tx.query(text, values)
      }
      return work({ ...tx, query })
    }, limits),
  )
  await ledger.audit('new')
  const positionOf = (name: string) => sent.findIndex((text) => text.includes(name))
  expect(positionOf('pg_stat_activity')).toBeGreaterThanOrEqual(0)
  expect(positionOf('pg_stat_activity')).toBeLessThan(positionOf('pg_export_snapshot'))
})

it('an audit that fails while it seals leaves the old seals', async () => {
  await payDaysAgo(4)
  const before = await rowsOf('select * from day_seal')
  await ledger.t.database.transaction(async (tx) => {
    await tx.execute('lock table wallet_seal in share row exclusive mode')
    const audit = ledger.audit('new')
    const failed = expect(audit).rejects.toThrow()
    const listWaiting = () =>
      rowsOf(`select pid from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%wallet_seal%'`)
    await vi.waitFor(async () => expect(await listWaiting()).toHaveLength(1), { timeout: 20_000 })
    // Waits until the process has ended, because it holds the lock of audits that seal.
    await change(`select pg_terminate_backend(${(await listWaiting())[0].pid}, 10000)`)
    await failed
  })
  expect(await rowsOf('select * from day_seal')).toEqual(before)
  expect((await ledger.audit('new')).seals!.newDays).toBeGreaterThan(0)
  expect(await ledger.findings('all')).toEqual([])
})

it('a row that appears in a sealed day is reported until the seals are replaced', async () => {
  const { t } = ledger
  const { shop } = await payDaysAgo(3)
  await ledger.audit('new')
  await t.fund(shop.store, 'live', '7.00')
  await moveToPast(ledger.client, 3)
  const [lateFinding] = await ledger.findings('new')
  expect(lateFinding).toMatchObject({
    check: 'store balance equals its transfers',
    subject: `store ${shop.store.storeId} live`,
    found: '1200',
  })
  const full = await ledger.findings('all')
  expect(full).toMatchObject([{ check: SEAL_CHECK }])
  expect(full[0]!.subject).toMatch(`store ${shop.store.storeId} live on 20`)
  expect(full[0]!.expected).toMatch(/^1 payments .*, 1 transfers .* balance 500/)
  expect(full[0]!.found).toMatch(/^1 payments .*, 2 transfers .* balance 1200/)
  expect((await ledger.audit('reseal')).checks.flatMap((check) => check.findings)).toEqual([])
  expect(await ledger.findings('new', { spotCheckMs: 60_000 })).toEqual([])
  expect(await ledger.findings('all')).toEqual([])
})

it('an audit checks sealed days again while there is time', async () => {
  const { days } = (await ledger.audit('new')).seals!
  expect(days).toBeGreaterThan(4)
  const countCheckedAgain = async (spotCheckMs: number) =>
    (await ledger.audit('new', { spotCheckMs })).seals!.checkedAgain
  expect(await countCheckedAgain(0)).toBe(0)
  expect(await countCheckedAgain(0.000_1)).toBe(1)
  expect(await countCheckedAgain(60_000)).toBe(days)
})

it('the chance that one of several audits checks a sealed day again grows with their number', () => {
  expect(chanceWithin(3 / 90, 1)).toBeCloseTo(0.0333, 4)
  expect(chanceWithin(3 / 90, 30)).toBeCloseTo(0.638, 3)
})

it('an audit finds nothing after a sealed payment is refunded', async () => {
  const { shop, payment_id } = await payDaysAgo(2)
  expect((await ledger.audit('new')).seals!.newDays).toBeGreaterThan(0)
  const refund = `/merchant/payment/${payment_id}/refund`
  expect((await ledger.t.call('POST', refund, shop.live)).status).toBe(200)
  expect(await ledger.findings('new', { spotCheckMs: 60_000 })).toEqual([])
  expect(await ledger.findings('all')).toEqual([])
})

it('an audit finds nothing while payments are made, even on several connections', async () => {
  const { t } = ledger
  const shop = await t.createStore()
  const wallet = await t.createWallet({ balance: '10000.00' })
  const pay = async () => {
    const { qr_code } = await t.createPayment(shop.live, { amount: 1 })
    return (await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, {})).status
  }
  const progress: number[][] = []
  const options = { connections: 3, paymentsPerStep: 1, recheckDelayMs: 1_000 }
  const onProgress = (done: number, total: number) => void progress.push([done, total])
  // One after the other: a cluster refuses a second audit.
  const audit = async () => [
    ...(await ledger.findings('new', options)),
    ...(await ledger.findings('all', { ...options, onProgress })),
  ]
  let isDone = false
  const payUntilDone = async () => {
    while (!isDone) expect(await pay()).toBe(200)
  }
  const payers = Promise.all(Array.from({ length: 10 }, payUntilDone))
  const found = await audit().finally(() => {
    isDone = true
  })
  await payers
  expect(found).toEqual([])
  const total = progress[0]![1]!
  expect(total).toBeGreaterThan(15)
  expect(progress).toEqual(Array.from({ length: total }, (_, index) => [index + 1, total]))
})

describe('a seal that was', () => {
  const newest = '(select max(day) from day_seal)'
  const oldest = '(select min(day) from day_seal)'
  const TABLES = ['ledger_seal', 'day_seal', 'wallet_seal', 'link_seal', 'usage']
  const cases: Record<string, [sql: string, subject: string]> = {
    'changed for a store': [
      'update ledger_seal set balance = balance + 1 where store_id = 1',
      'seals of stores on',
    ],
    'removed for a store': ['delete from ledger_seal where store_id = 1', 'seals of stores on'],
    'inserted for a store': [
      `insert into ledger_seal values (1, 'live', '2001-01-01', 0, 0, 0, 0, 5, 0, 0)`,
      'seals of stores on 2001-01-01',
    ],
    'changed for a day': [
      `update day_seal set wallet_hash = wallet_hash + 1 where day = ${newest}`,
      'seal of 20',
    ],
    'removed for a day': [`delete from day_seal where day = ${oldest}`, 'seal of 20'],
    'removed for the last day': [`delete from day_seal where day = ${newest}`, 'seals of stores'],
    'removed for the last day, with its stores': [
      `with s as (delete from ledger_seal where day = ${newest}) delete from day_seal where day = ${newest}`,
      'sealed totals',
    ],
    'inserted for a day': [
      `insert into day_seal select '2001-01-01', 0, 0, 0, 0, totals, mac, sealed_at from day_seal where day = ${newest}`,
      'seal of 2001-01-01',
    ],
    'inserted for an infinite day': [
      `insert into day_seal select 'infinity', 0, 0, 0, 0, totals, mac, sealed_at from day_seal where day = ${newest}`,
      'seal of infinity',
    ],
    'inserted for a store on an infinite day': [
      `insert into ledger_seal values (1, 'live', '-infinity', 0, 0, 0, 0, 5, 0, 0)`,
      'seals of stores on -infinity',
    ],
    'changed for a wallet': ['update wallet_seal set balance = balance + 1', 'sealed totals'],
    'changed for a link': ['update link_seal set total = total + 1', 'sealed totals'],
    'removed for a wallet': ['delete from wallet_seal', 'sealed totals'],
    'changed for the usage of an old day': [
      `update usage set used = used + 1 where period = 'day' and starts = ${oldest}`,
      'sealed totals',
    ],
  }

  it.each(Object.keys(cases))('%s is found', async (name) => {
    const [sql, subject] = cases[name]!
    await withRestoredTables(ledger.client, TABLES, async () => {
      expect((await change(sql)).rowCount).toBeGreaterThan(0)
      const wrong = (await ledger.findings('new')).filter(({ check }) => check === SEAL_CHECK)
      expect(wrong.map((finding) => finding.subject).join('\n')).toContain(subject)
    })
    expect(await ledger.findings('new')).toEqual([])
  })

  it('made with another key is found', async () => {
    const wrong = await ledger.findings('new', { secretKey: randomBytes(32) })
    expect(wrong[0]!.subject).toMatch(/^seal of 20/)
  })
})
