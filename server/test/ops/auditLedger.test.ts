import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORRUPTIONS } from '../setup/corruptions.ts'
import { newLink, payLink } from '../setup/links.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

const TABLES = [
  'payment',
  'transfer',
  'wallet_transfer',
  'store_balance',
  'wallet_balance',
  'usage',
  'link',
]

/** Placeholders in the corruptions. */
const names: Record<string, string> = {}
let t: TestService
let client: pg.Client

beforeAll(async () => {
  t = await startTestService()
  client = new pg.Client({ connectionString: t.databaseUrl })
  await client.connect()
  await makeHistory()
  // Drop the constraints: the audit must find what they would have prevented.
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
     from pg_constraint
     where contype in ('c', 'n') and conrelid = any($1::regclass[])
     order by contype`,
    [[...TABLES, 'wallet']],
  )
  for (const { statement } of rows) await client.query(statement).catch(() => {})
  for (const table of [...TABLES, 'wallet']) {
    await client.query(`create table kept_${table} as table ${table}`)
  }
})
afterAll(async () => {
  await client.end()
  await t.close()
})

/** Creates payments of every kind: paid, refunded, failed, expired, pending, converted, in both modes. */
async function makeHistory(): Promise<void> {
  const shop = await t.createStore({ feeBps: 100, feeFixedMinor: 5n, refundFeeMinor: 50n })
  const quiet = await t.createStore()
  await t.call('PUT', '/operator/rates/EUR/USD', t.operator, { rate: '1.0842' })
  await t.fund(shop.store, 'live', '100.00')
  const operate = (url: string, body: unknown) => t.call('POST', url, t.operator, body)
  const money = { mode: 'live', amount: '7.00' }
  const payout = await operate(`/operator/stores/${shop.store.storeId}/payout`, money)
  const ada = await t.createWallet({ balance: '500.00' })
  const bob = await t.createWallet({ balance: '500.00' })
  const poor = await t.createWallet({ balance: '1.00' })
  const tester = await t.createWallet({ mode: 'sandbox', balance: '500.00' })
  const url = `/operator/wallets/${bob.wallet.publicId}/withdraw`
  const withdrawal = await operate(url, { currency: 'USD', amount: '3.00' })
  const pay = (qr: string, wallet = ada, body: unknown = {}) =>
    t.call('POST', `/wallet/payment/${qr}/pay`, wallet.headers, body)

  const paid = await t.createPayment(shop.live, { amount: 20 })
  await pay(paid.qr_code, ada, { donation_amount: 1.5 })
  const refunded = await t.createPayment(shop.live, { amount: 30 })
  await pay(refunded.qr_code, bob)
  await t.call('POST', `/merchant/payment/${refunded.payment_id}/refund`, shop.live)
  const pending = await t.createPayment(shop.live, { amount: 40 })
  const converted = await t.createPayment(shop.live, { amount: 11, currency: 'EUR' })
  await pay(converted.qr_code, bob)
  const failed = await t.createPayment(shop.live, { amount: 50 })
  await pay(failed.qr_code, poor)
  const expired = await t.createPayment(shop.live, { amount: 60 })
  await t.call('POST', `/merchant/payment/${expired.payment_id}/expire`, shop.live)
  const sandbox = await t.createPayment(shop.sandbox, { amount: 70 })
  await pay(sandbox.qr_code, tester)
  const simulated = await t.createPayment(shop.sandbox, { amount: 80 })
  await t.call('POST', `/sandbox/payment/${simulated.payment_id}/pay`, shop.sandbox)

  const link = await newLink(t, shop.live, { amount: 9 })
  const linked = (await payLink(t, bob, link)).body.data
  await newLink(t, quiet.live)

  Object.assign(names, {
    link,
    shop: shop.store.storeId,
    quiet: quiet.store.storeId,
    ada: ada.wallet.walletId,
    bob: bob.wallet.walletId,
    payout: payout.body.data.reference,
    withdrawal: withdrawal.body.data.reference,
  })
  for (const [name, made] of Object.entries({
    paid,
    refunded,
    pending,
    converted,
    failed,
    expired,
    simulated,
    linked,
  })) {
    names[name] = made.payment_id
  }
}

const fill = (text: string) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (names[name] === undefined) throw new Error(`no such name: ${name}`)
    return String(names[name])
  })

async function restore(): Promise<void> {
  for (const table of [...TABLES, 'wallet']) {
    await client.query(`truncate ${table}`)
    await client.query(`insert into ${table} table kept_${table}`)
  }
  await client.query(`update store set currency = 'USD'`)
}

describe('the audit', () => {
  it('finds nothing in a correct ledger with payments of every kind', async () => {
    expect(await t.auditFindings()).toEqual([])
    const { rows } = await client.query('select distinct status from payment order by 1')
    expect(rows.map((row) => row.status).join()).toBe('completed,expired,failed,pending,refunded')
  })

  it.each(Object.keys(CORRUPTIONS))('finds: %s', async (name) => {
    const [corrupt, subject] = CORRUPTIONS[name]!
    try {
      const { rowCount } = await client.query(fill(corrupt))
      expect(rowCount).toBeGreaterThan(0)
      const subjects = (await t.auditFindings()).map((finding) => finding.subject)
      expect(subjects.join('\n')).toContain(fill(subject))
    } finally {
      await restore()
    }
    expect(await t.auditFindings()).toEqual([])
  })
})
