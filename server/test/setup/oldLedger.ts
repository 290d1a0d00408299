import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { monthOf } from '../../src/core/calendar.ts'
import { monthAfter } from '../../src/core/ledgerArchive.ts'
import { checkFiles } from '../../src/ops/archiveChecks.ts'
import { archiveNextMonth } from '../../src/ops/archiveLedger.ts'
import { type AuditScope, auditLedger } from '../../src/ops/auditLedger.ts'
import { makeHistory, moved, moveToPast } from './ledgerHistory.ts'
import { createPerson } from './people.ts'
import { startTestService, type TestService } from './testService.ts'

export type OldLedger = Awaited<ReturnType<typeof startOldLedger>>

const DAY_MS = 86_400_000
/** UTC+05:45, so its days start at no full hour of UTC. */
const ZONE = 'Asia/Kathmandu'

/**
 * A service with sealed payments of every kind: some from the middle of a month that can be archived, and others from 10 days ago.
 * With `isIdle`, there are none after that month. `shop` has sales at different hours of the month, which `payer` paid.
 */
export async function startOldLedger({ isIdle = false }: { isIdle?: boolean } = {}) {
  const t = await startTestService()
  const client = new pg.Client({ connectionString: t.databaseUrl })
  await client.connect()
  const folder = await mkdtemp(join(tmpdir(), 'florin-archive-'))
  const { secretKey } = t.service
  const audit = (scope: AuditScope, options: Parameters<typeof auditLedger>[1] = {}) =>
    auditLedger(t.database, {
      seals: { secretKey, scope },
      spotCheckMs: 60_000,
      recheckDelayMs: 1,
      ...options,
    })

  const old = await makeHistory(t)
  const { shop, payer, sales } = await sell(t)
  let days = 75
  const monthDay = () => new Date(Date.now() - days * DAY_MS).getUTCDate()
  while (monthDay() < 8 || monthDay() > 16) days += 1
  await moveToPast(client, days)
  await client.query(`update store set created_at = ${moved('created_at', `-${days + 1} days`)}`)
  await spread(client, sales)
  t.service.stores.forget(shop.store.storeId)
  const recent = isIdle ? {} : await makeHistory(t)
  await moveToPast(client, 10)
  await audit('new')

  const month = monthOf(new Date(Date.now() - days * DAY_MS).toISOString())
  const before = monthAfter(month)
  const actor = { name: 'test', requestId: null }
  return {
    t,
    client,
    folder,
    old,
    recent,
    shop,
    payer,
    sales,
    owner: (await createPerson(t, shop.store, 'owner')).headers,
    month,
    before,
    audit,
    findings: async (...args: Parameters<typeof audit>) =>
      (await audit(...args)).checks.flatMap((check) => check.findings),
    archive: (changed: Partial<Parameters<typeof archiveNextMonth>[1]> = {}) =>
      archiveNextMonth(t.database, { secretKey, before, folder, actor, ...changed }),
    files: () => checkFiles(t.database, folder),
    rowsOf: async (sql: string) => (await client.query(sql)).rows,
    async close(): Promise<void> {
      await client.end()
      await t.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Sales of a shop to one payer. The last one is refunded. */
async function sell(t: TestService) {
  const shop = await t.createStore({ timeZone: ZONE, feeBps: 190, refundFeeMinor: 35n })
  const payer = await t.createWallet({ balance: '500.00' })
  await t.fund(shop.store, 'live', '50.00')
  const sales: string[] = []
  for (let amount = 1; amount <= 8; amount++) {
    const webhook_url = 'http://127.0.0.1:9/hook'
    const payment = await t.createPayment(shop.live, {
      amount,
      reference_id: `old-${amount}`,
      webhook_url,
    })
    await t.call('POST', `/wallet/payment/${payment.qr_code}/pay`, payer.headers, {})
    sales.push(payment.payment_id)
  }
  await t.call('POST', `/merchant/payment/${sales.at(-1)}/refund`, shop.live)
  return { shop, payer, sales }
}

/** Spreads the sales over at least three days, each at another hour. */
async function spread(client: pg.Client, sales: readonly string[]): Promise<void> {
  for (const [n, id] of sales.entries()) {
    const later = (column: string) => `${column} = ${moved(column, `${n * 431} minutes`)}`
    const move = (table: string, key: string, columns: readonly string[]) =>
      client.query(`update ${table} set ${columns.map(later).join(', ')} where ${key} = $1`, [id])
    await move('payment', 'payment_id', ['created_at', 'expires_at', 'settled_at', 'refunded_at'])
    await move('transfer', 'reference', ['at'])
    await move('wallet_transfer', 'reference', ['at'])
    await move('event', 'payment_id', ['created_at'])
  }
}
