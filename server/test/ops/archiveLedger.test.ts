import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastDays, monthOf, wireTime } from '../../src/core/calendar.ts'
import { parsePaymentId } from '../../src/core/ids.ts'
import { archiveFileName, monthAfter } from '../../src/core/ledgerArchive.ts'
import type { Database } from '../../src/database/database.ts'
import { readCloses, readStatement, readTransfers } from '../../src/ops/books.ts'
import { readWalletStatement } from '../../src/ops/walletActivity.ts'
import { alignEvents, moveToPast, recountUsage } from '../setup/ledgerHistory.ts'
import { type OldLedger, startOldLedger } from '../setup/oldLedger.ts'
import { createPerson } from '../setup/people.ts'

let ledger: OldLedger
beforeAll(async () => {
  ledger = await startOldLedger()
})
afterAll(() => ledger.close())

const get = (path: string, headers: Record<string, string>) => ledger.t.call('GET', path, headers)
const cutoff = () => new Date(`${ledger.before}T00:00:00Z`)

/**
 * The closes of the last 120 days, except days that begin and end without a balance, in time zones that differ from UTC by 0, 5:45
 * and -9:30 hours.
 */
async function readClosesOfZones() {
  const { t, shop } = ledger
  const { storeId } = shop.store
  const zones = ['UTC', 'Asia/Kathmandu', 'Pacific/Marquesas']
  const read = async (zone: string) => {
    const days = lastDays(new Date(), zone, 120).reverse()
    const all = await readCloses(t.database, { storeId, mode: 'live' }, days)
    return all.filter(({ opening, closing }) => opening !== 0n || closing !== 0n)
  }
  return Promise.all(zones.map(read))
}

/** The current balance, and the close of a period that ends among the archived sales, at midnight in Kathmandu. */
const readBalanceAndClose = async () => {
  const { t, shop, month, sales } = ledger
  const [{ midnight }] = await ledger.rowsOf(
    `select date_trunc('day', settled_at, 'Asia/Kathmandu') as midnight
     from payment where payment_id = '${sales[4]}'`,
  )
  const period = { from: new Date(`${month}T00:00:00Z`), to: midnight as Date }
  const owner = { storeId: shop.store.storeId, mode: 'live' as const }
  const { balance } = await readStatement(t.database, { ...owner, period, from: null, limit: 1 })
  const [close] = await readCloses(t.database, owner, [{ day: 'a part', ...period }])
  return { balance, close }
}

const saleKey = () => ({ ...parsePaymentId(ledger.sales[7]!)!, mode: 'live' as const })

it('refuses a month that is too recent, a path that is not a folder, and another secret key', async () => {
  const next = monthAfter(new Date().toISOString().slice(0, 7).concat('-01'))
  await expect(ledger.archive({ before: next })).rejects.toThrow('35 days after their end')
  await expect(ledger.archive({ folder: '/nonexistent' })).rejects.toThrow('ENOENT')
  await expect(ledger.archive({ folder: '/dev/full' })).rejects.toThrow('ENOTDIR')
  await expect(ledger.archive({ secretKey: Buffer.alloc(32) })).rejects.toThrow('The seals differ')
  expect(await readdir(ledger.folder)).toEqual([])
})

it('refuses a month that is not sealed to its end', async () => {
  const idle = await startOldLedger({ isIdle: true })
  await expect(idle.archive()).rejects.toThrow('later ones are not')
  expect(await idle.findings('all')).toEqual([])
  await idle.close()
})

it('never replaces a file with other content, such as the archive of another database', async () => {
  const path = join(ledger.folder, archiveFileName(ledger.month))
  const otherArchive = gzipSync('{"format":"florin-ledger"}\n{"store_id":1}\n')
  for (const other of [
    otherArchive,
    otherArchive.subarray(0, -9),
    Buffer.from('notes'),
    Buffer.from(''),
  ]) {
    await writeFile(path, other)
    await expect(ledger.archive()).rejects.toThrow(
      `${path} has other content, perhaps the archive of another database. Nothing was archived. Choose another folder.`,
    )
    expect(await readFile(path)).toEqual(other)
  }
  expect(await readdir(ledger.folder)).toEqual([archiveFileName(ledger.month)])
  await rm(path)
  expect(await ledger.findings('all')).toEqual([])
  expect(await ledger.rowsOf('select from archive')).toEqual([])
})

it('replaces the file of an attempt that failed after writing it, even if it is compressed differently', async () => {
  const path = join(ledger.folder, archiveFileName(ledger.month))
  const actor = { name: 'refused by PostgreSQL: \0', requestId: null }
  await expect(ledger.archive({ actor })).rejects.toThrow('invalid byte sequence')
  const written = await readFile(path)
  const other = gzipSync(gunzipSync(written), { level: 0 })
  expect(other).not.toEqual(written)
  await writeFile(path, other)
  await expect(ledger.archive({ actor })).rejects.toThrow('invalid byte sequence')
  expect(await readFile(path)).toEqual(written)
})

it('keeps closes, balances, details, search and audits as they were', async () => {
  const { t, owner, payer, sales, month } = ledger
  const details = () => get(`/store/live/payments/${sales[0]}`, owner)
  const transfers = () => get(`/store/live/payments/${sales[7]}/ledger`, owner)
  const search = () => get('/store/live/payments?limit=100', owner)
  const ofPayer = () =>
    get(`/store/live/payments?payer=${encodeURIComponent(payer.wallet.name)}`, owner)
  const read = async () => ({
    closes: await readClosesOfZones(),
    balances: await readBalanceAndClose(),
    totals: (await ledger.audit('all')).totals,
    responses: (await Promise.all([details(), transfers(), search(), ofPayer()])).map(
      ({ status, body }) => ({ status, data: body.data }),
    ),
  })
  const before = await read()
  expect(before.responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(before.responses[3]!.data.payments).toHaveLength(8)
  expect(before.balances.close!.sums.payment.count).toBeGreaterThan(0)
  expect(before.balances.close!.sums.payment.count).toBeLessThan(sales.length)
  const transfersBefore = await readTransfers(t.database, saleKey())
  let archived: Awaited<ReturnType<typeof ledger.archive>> = null
  // After the first statement, the month is archived.
  const database: Database = {
    ...t.database,
    async query<Row>(text: string, values?: readonly unknown[]) {
      const rows = await t.database.query<Row>(text, values)
      archived ??= await ledger.archive()
      return rows
    },
  }
  expect(await readTransfers(database, saleKey())).toEqual(transfersBefore)
  expect(archived).toMatchObject({ month: month.slice(0, 7), file: archiveFileName(month) })
  const left = `select kind from transfer where at < '${ledger.before}' union select kind from wallet_transfer where at < '${ledger.before}' order by 1`
  const kinds = (await ledger.rowsOf(left)).map(({ kind }) => kind)
  expect(kinds).toEqual(['funding', 'payout', 'top_up', 'withdrawal'])
  expect(await read()).toEqual(before)
  expect(await ledger.archive()).toBe(null)
  expect(await readdir(ledger.folder)).toEqual([archiveFileName(month)])
  const [entry] = await ledger.rowsOf(`select * from audit_log where action = 'ledger.archive'`)
  expect(entry).toMatchObject({ actor: 'test', subject: `ledger_archive:${month.slice(0, 7)}` })
  expect(await t.auditFindings()).toEqual([])
})

it('passes all audits, even after the seals are replaced', async () => {
  for (const scope of ['new', 'all', 'reseal', 'new', 'all'] as const) {
    expect(await ledger.findings(scope)).toEqual([])
  }
  expect(await ledger.files()).toEqual([])
})

it('replaces the seals while a pending payment prevents new days from being sealed', async () => {
  const { t, client, shop } = ledger
  const { until } = (await ledger.audit('new')).seals!
  const { payment_id } = await t.createPayment(shop.live)
  await moveToPast(client, 20)
  const set = async (values: string) => {
    await client.query(`update payment set ${values} where payment_id = $1`, [payment_id])
    await alignEvents(client)
    await recountUsage(client)
  }
  await set(`status = 'pending', settled_at = null`)
  const resealed = await ledger.audit('reseal')
  expect(resealed.checks.flatMap((check) => check.findings)).toEqual([])
  expect(resealed.seals).toMatchObject({ newDays: 0 })
  expect(monthOf(resealed.seals!.until!)).toBe(ledger.month)
  for (const scope of ['new', 'all'] as const) expect(await ledger.findings(scope)).toEqual([])

  await set(`status = 'expired', settled_at = now()`)
  expect((await ledger.audit('new')).seals!.until).toBe(until)
  for (const scope of ['new', 'all'] as const) expect(await ledger.findings(scope)).toEqual([])
})

it('writes a file without notes or names', async () => {
  const text = gunzipSync(
    await readFile(join(ledger.folder, archiveFileName(ledger.month))),
  ).toString()
  const [header, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({
    format: 'florin-ledger',
    version: 1,
    month: ledger.month.slice(0, 7),
  })
  expect(rows).toHaveLength(header.transfers + header.wallet_transfers)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].sort()
  expect(names).toEqual(
    [
      'store_id',
      'reference',
      'kind',
      'mode',
      'debit',
      'credit',
      'amount',
      'currency',
      'at',
      'wallet_id',
    ].sort(),
  )
  expect(text).not.toContain(ledger.payer.wallet.name)
})

it('says where a statement ends, and refuses files that would lack lines', async () => {
  const { owner, payer, t } = ledger
  const archived_before = wireTime(cutoff())
  const statement = await get('/store/live/statement', owner)
  expect(statement.body.data).toMatchObject({ lines: [], archived_before })
  const recent = await get(`/store/live/statement?from=${ledger.before.slice(0, 8)}02`, owner)
  expect(recent.body.data.archived_before).toBe(null)
  const other = await t.createStore()
  const person = await createPerson(t, other.store, 'owner')
  expect((await get('/store/live/statement', person.headers)).body.data.archived_before).toBe(null)

  const activity = await get('/wallet/activity', payer.headers)
  expect(activity.body.data).toMatchObject({ activity: [], archived_before })
  const period = (from: string) => `/wallet/statement?from=${from}&to=${ledger.before}T12:00:00Z`
  const refused = await get(period(`${ledger.month}T00:00:00Z`), payer.headers)
  expect(refused.status).toBe(400)
  expect(refused.body.errors[0]).toMatchObject({ field: 'from' })
  expect((await get(period(`${ledger.before}T00:00:00Z`), payer.headers)).status).toBe(200)

  // The first local day after the cutoff, because a part of the day before is archived.
  const first = `${ledger.before.slice(0, 8)}02`
  const file = await get('/store/live/statement.csv', owner)
  expect(file.headers['content-disposition']).toContain(`statement-live-${first}-`)
  for (const query of [`from=${ledger.before}`, `to=${ledger.before}`]) {
    const lacking = await get(`/store/live/statement.csv?${query}`, owner)
    expect(lacking.status).toBe(400)
    expect(lacking.body.errors[0].message).toContain(`must be ${first} or later`)
  }
  expect((await get(`/store/live/statement.csv?from=${first}`, owner)).status).toBe(200)
})

it('refuses a statement of a wallet whose transfers were archived while it waited', async () => {
  const { t, payer, month } = ledger
  const period = { from: new Date(`${month}T00:00:00Z`), to: cutoff() }
  const statement = await readWalletStatement(t.database, payer.wallet, period)
  expect(statement).toEqual({ kind: 'archived', cutoff: cutoff() })
})

it('refuses a statement of archived months without reading transfers', async () => {
  const { t, payer, month } = ledger
  const sent: string[] = []
  const database: Database = {
    ...t.database,
    transaction: (work, limits) =>
      t.database.transaction(
        (tx) =>
          work({
            ...tx,
            query(text, values) {
              sent.push(text)
              return tx.query(text, values)
            },
          }),
        limits,
      ),
  }
  const period = { from: new Date(`${month}T00:00:00Z`), to: cutoff() }
  expect((await readWalletStatement(database, payer.wallet, period)).kind).toBe('archived')
  expect(sent.join('\n')).toContain('archived_wallet')
  expect(sent.join('\n')).not.toContain('wallet_transfer')
})

it('refunds an archived payment', async () => {
  const { t, shop, owner, sales } = ledger
  const { status } = await t.call('POST', `/merchant/payment/${sales[1]}/refund`, shop.live)
  expect(status).toBe(200)
  const { body } = await get(`/store/live/payments/${sales[1]}/ledger`, owner)
  expect(body.data.lines.map((line: { kind: string }) => line.kind)).toEqual([
    'payment',
    'fee',
    'refund',
    'refund_fee',
  ])
  for (const scope of ['new', 'all'] as const) expect(await ledger.findings(scope)).toEqual([])
})

it('exports and erases the payer of archived payments', async () => {
  const { t, payer, sales } = ledger
  const path = `/operator/wallets/${payer.wallet.publicId}`
  const exported = await t.call('POST', `${path}/export`, t.operator, {})
  expect(exported.body.data.archived_payments).toEqual([...sales].sort())
  const named = `select count(*)::int as count from event where body like '%${payer.wallet.name}%' and payment_id = any('{${sales}}')`
  expect((await ledger.rowsOf(named))[0].count).toBe(10)
  const [{ balance }] = await ledger.rowsOf(
    `select balance from wallet_balance where wallet_id = ${payer.wallet.walletId}`,
  )
  const amount = (Number(balance) / 100).toFixed(2)
  await t.call('POST', `${path}/withdraw`, t.operator, { currency: 'USD', amount })
  const erased = await t.call('POST', `${path}/erase`, t.operator, {})
  expect(erased.body.data.payments).toBe(8)
  expect((await ledger.rowsOf(named))[0].count).toBe(0)
  for (const scope of ['new', 'all'] as const) expect(await ledger.findings(scope)).toEqual([])
  expect(await ledger.files()).toEqual([])
})

it('names a file that is missing, changed or truncated', async () => {
  const name = archiveFileName(ledger.month)
  const path = join(ledger.folder, name)
  const bytes = await readFile(path)
  const changed = Buffer.from(bytes)
  changed[bytes.length - 30]! ^= 1
  for (const wrong of [changed, bytes.subarray(0, -1), Buffer.from('')]) {
    await writeFile(path, wrong)
    expect(await ledger.files()).toMatchObject([{ subject: name }])
  }
  await rm(path)
  expect(await ledger.files()).toMatchObject([{ subject: name, found: 'none' }])
  await writeFile(path, bytes)
  expect(await ledger.files()).toEqual([])
})
