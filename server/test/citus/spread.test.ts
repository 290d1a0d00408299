import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import { pretendSpread, startTestService, type TestService } from '../setup/testService.ts'

// One PostgreSQL takes the statements of a cluster as well. So the core tests are run once more with those, hints and
// all, and must come to the same.
beforeAll(() => pretendSpread(true))
// As modules of their own, beside those that the files themselves are.
for (const file of ['smoke', 'races', 'webhooks/delivery']) {
  await import(/* @vite-ignore */ `../${file}.test.ts?spread`)
}
afterAll(() => pretendSpread(false))

describe('the audit of a cluster', () => {
  let t: TestService
  beforeAll(async () => {
    t = await startTestService()
    const shop = await t.createStore()
    const wallet = await t.createWallet({ balance: '500.00' })
    const { qr_code } = await t.createPayment(shop.live, { amount: 20 })
    await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers, {})
  })
  afterAll(() => t.close())

  const change = (by: number) =>
    t.database.transaction((tx) =>
      tx.execute(
        `update wallet_transfer set note = 'looked at', amount = amount + $1 where kind = 'payment'`,
        [by],
      ),
    )
  const findings = async () =>
    (await auditLedger(t.database)).checks.flatMap((check) => check.findings)

  it('says what is wrong between stores and wallets', async () => {
    expect(t.database.isSpread).toBe(true)
    await change(1)
    try {
      const wrong = await findings()
      expect(wrong.map((one) => one.check)).toContain('both sides of a transfer agree')
      expect(Object.keys(wrong[0]!).sort()).toEqual(['check', 'expected', 'found', 'subject'])
    } finally {
      await change(-1)
    }
  })

  it('looks again under the locks before it does', async () => {
    await change(1)
    // Until the store is let go nobody may say what is wrong with it; by then it is right.
    const seen: string[] = []
    const held = t.database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(2, store_id) from store')
      const audit = auditLedger(t.database, (name) => seen.push(name))
      await expect.poll(() => seen).toContain('both sides of a transfer agree')
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(seen.at(-1)).toBe('both sides of a transfer agree')
      await change(-1)
      return { audit }
    })
    const { checks } = await (await held).audit
    const both = checks.find(({ name }) => name === 'both sides of a transfer agree')!
    expect(both.findings).toEqual([])
  })
})
