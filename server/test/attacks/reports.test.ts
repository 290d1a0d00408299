import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBusinessReader } from '../../src/ops/paymentTotals.ts'
import { inReportTransaction } from '../../src/ops/reportTransaction.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

it('the reports of others do not wait for a wallet that requests many statements', async () => {
  const { store, live } = await t.createStore()
  const payer = await t.createWallet()
  const { walletId } = payer.wallet
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const slow = Array.from({ length: 60 }, () =>
    inReportTransaction(t.database, `wallet ${walletId}`, () => finished),
  )
  const settled = Promise.allSettled(slow)
  const path = '/wallet/statement?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z'
  expect((await t.call('GET', path, payer.headers)).status).toBe(503)
  const report = inReportTransaction(t.database, `store ${store.storeId}`, async () => 'report')
  expect(await report).toBe('report')
  // Other requests don't wait for reports.
  expect((await t.call('GET', '/merchant/balance', live)).status).toBe(200)
  finish()
  const fulfilled = (await settled).filter(({ status }) => status === 'fulfilled')
  expect(fulfilled).toHaveLength(10)
  expect((await t.call('GET', path, payer.headers)).status).toBe(200)
})

it('the totals of the whole service do not wait for counts of active stores and wallets', async () => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const counts = inReportTransaction(t.database, 'operators counts', () => finished)
  let reports = 0
  const readBusiness = createBusinessReader({
    ...t.database,
    transaction: (work) => {
      reports += 1
      return t.database.transaction(work)
    },
  })
  const business = readBusiness({ mode: 'live', timeZone: 'UTC', days: 7 })
  try {
    await expect.poll(() => reports).toBeGreaterThan(0)
  } finally {
    finish()
  }
  await counts
  expect((await business).days).toHaveLength(7)
})
